import { systemClock, systemRandom } from '@slipway/base';
import { labels, machineDeployments, machines, machineSets } from '@slipway/cluster-api';
import { clusterNameOf, type MachineEvent, machineEvent, type Plan, unsettledOf } from '@slipway/insight';
import type { Frozen, KubeObject } from '@slipway/kube';
import { kubeadmControlPlanes } from '@slipway/kubeadm';
import {
  type ChangeRecord,
  type HttpClient,
  type Informer,
  InformerFactory,
  readChanges,
  type Resource,
} from '@slipway/runtime';
import { type ExitCode, exitCodes } from '../../errors/index.js';

export interface Following {
  /** Resolves when all planned changes have happened, or on Ctrl-C. */
  end(): Promise<ExitCode>;
  dispose(): Promise<void>;
}

type Observed = Frozen<KubeObject>;

const followed = [machines, machineSets, machineDeployments, kubeadmControlPlanes] as unknown as readonly Resource[];
const verbTexts = { create: 'created', update: 'changed', delete: 'deleting', gone: 'gone' } as const;

/**
 * Prints the changes of machines until all planned changes have happened, with the reason of each change if the management
 * plane has a change feed. Starts before the manifest is applied, so that no change is missed.
 */
export async function follow(client: HttpClient, plan: Plan, signal: AbortSignal): Promise<Following> {
  const factory = new InformerFactory({ client, clock: systemClock, random: systemRandom });
  const informers = placesOf(plan.clusters).flatMap((place) =>
    followed.map((resource) => factory.informer(resource, place)),
  );
  try {
    await Promise.all(informers.map((informer) => informer.whenSynced({ signal })));
  } catch (error) {
    await factory.dispose();
    throw error;
  }
  const progress = new Progress(plan, informers, () => readChanges(client, { signal }));
  return { end: () => progress.end(signal), dispose: () => factory.dispose() };
}

/** Number of Clusters up to which they are selected by name. Longer selectors would not fit into a URL. */
const selectedMax = 40;

/** Returns the selectors of the planned Clusters' objects. Objects of other Clusters are neither read nor waited for. */
function placesOf(clusters: readonly string[]): { readonly namespace: string; readonly labelSelector?: string }[] {
  const byNamespace = new Map<string, string[]>();
  for (const cluster of clusters) {
    const slash = cluster.indexOf('/');
    const namespace = cluster.slice(0, slash);
    byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), cluster.slice(slash + 1)]);
  }
  return [...byNamespace].map(([namespace, names]) =>
    names.length > selectedMax
      ? { namespace }
      : { namespace, labelSelector: `${labels.clusterName} in (${names.join(',')})` },
  );
}

export class Progress {
  readonly #plan: Plan;
  readonly #informers: readonly Informer[];
  readonly #startedAt = performance.now();
  readonly #clusters: ReadonlySet<string>;
  readonly #readChanges: () => Promise<readonly ChangeRecord[] | undefined>;
  /** Resolves when all recorded changes are printed, in order. */
  #printed: Promise<void> = Promise.resolve();
  #check: () => void = () => undefined;
  #seen = 0;

  constructor(
    plan: Plan,
    informers: readonly Informer[],
    readFeed: () => Promise<readonly ChangeRecord[] | undefined>,
  ) {
    this.#readChanges = readFeed;
    this.#plan = plan;
    this.#informers = informers;
    this.#clusters = new Set(plan.clusters);
    for (const informer of informers) {
      informer.addHandler({
        added: (object, { initial }) => initial || this.#note(undefined, object),
        updated: (object, previous) => this.#note(previous, object),
        deleted: (object) => this.#note(object, undefined),
      });
    }
  }

  end(signal: AbortSignal): Promise<ExitCode> {
    return new Promise((resolve) => {
      this.#check = () => {
        if (!this.#isComplete()) return;
        this.#check = () => undefined;
        const time = this.#time();
        void this.#printed.then(() => {
          process.stdout.write(`  ${time}  done\n`);
          resolve(exitCodes.ok);
        });
      };
      signal.addEventListener('abort', () => {
        process.stdout.write('Interrupted: the changes continue. Follow them with `kubectl get machines --watch`.\n');
        resolve(exitCodes.interrupted);
      });
      this.#check();
    });
  }

  #note(before: Observed | undefined, after: Observed | undefined): void {
    const object = after ?? before;
    if (object?.kind === 'Machine' && this.#isOurs(object)) {
      const event = machineEvent(before, after);
      if (event !== undefined) this.#print(event);
    }
    this.#check();
  }

  #print(event: MachineEvent): void {
    const { verb, name, group } = event;
    if (verb === 'create' || verb === 'delete') this.#seen += 1;
    const line = `  ${this.#time()}  Machine ${name} of ${group.kind} ${group.name}: ${verbTexts[verb]}`;
    // The change feed is read when a watch reports the object: it already has the record of the change.
    this.#printed = this.#printed.then(async () => {
      process.stdout.write(`${line}${causeText(event, await this.#changes())}\n`);
    });
  }

  /** Returns the records of the change feed. They are optional: without them, progress is printed without reasons. */
  async #changes(): Promise<readonly ChangeRecord[]> {
    try {
      return (await this.#readChanges()) ?? [];
    } catch {
      return [];
    }
  }

  #isComplete(): boolean {
    const expected = this.#plan.steps.filter(({ verb }) => verb !== 'update').length;
    if (this.#seen < expected) return false;
    // The command does not wait for the conditions of a plan that does not settle: they may never become true.
    if (!this.#plan.isSettled || this.#plan.missing.length > 0) return true;
    const objects = this.#informers.flatMap((informer) => informer.list()).filter((object) => this.#isOurs(object));
    return objects.every(isObserved) && unsettledOf(objects).length === 0;
  }

  #isOurs(object: Observed): boolean {
    return this.#clusters.has(`${object.metadata.namespace ?? ''}/${clusterNameOf(object) ?? ''}`);
  }

  #time(): string {
    return `${((performance.now() - this.#startedAt) / 1_000).toFixed(1)} s`;
  }
}

/** Returns whether the conditions refer to the current generation of the object. */
function isObserved(object: Observed): boolean {
  const { status } = object as { readonly status?: { readonly observedGeneration?: number } };
  return (status?.observedGeneration ?? 0) >= (object.metadata.generation ?? 0);
}

const causingVerbs: Readonly<Record<MachineEvent['verb'], readonly ChangeRecord['verb'][]>> = {
  create: ['create', 'apply'],
  update: ['apply', 'patch'],
  delete: ['delete'],
  gone: [],
};

/** Returns why a controller made the change, according to the newest record of the change. */
export function causeText(
  { verb, namespace, name }: Pick<MachineEvent, 'verb' | 'namespace' | 'name'>,
  records: readonly ChangeRecord[],
): string {
  const cause = records.findLast(
    ({ object, verb: made, result, cluster }) =>
      object.kind === 'Machine' &&
      object.namespace === namespace &&
      object.name === name &&
      result === 'ok' &&
      cluster === undefined &&
      causingVerbs[verb].includes(made),
  );
  return cause === undefined ? '' : `, ${cause.reason}: ${cause.message} (${cause.controller})`;
}
