import { systemClock, systemRandom } from '@slipway/base';
import { machineDeployments, machines, machineSets } from '@slipway/cluster-api';
import { type MachineEvent, machineEvent, type Plan, unsettledOf } from '@slipway/insight';
import type { Frozen, KubeObject } from '@slipway/kube';
import { kubeadmControlPlanes } from '@slipway/kubeadm';
import { type Client, type Informer, InformerFactory, type Resource } from '@slipway/runtime';
import { type ExitCode, exitCodes } from '../../errors/index.js';

export interface Following {
  /** When all that was planned has happened, or nobody wants to wait any longer. */
  end(): Promise<ExitCode>;
  dispose(): Promise<void>;
}

type Observed = Frozen<KubeObject>;

const followed = [machines, machineSets, machineDeployments, kubeadmControlPlanes] as unknown as readonly Resource[];
const words = { create: 'created', update: 'changed', delete: 'deleting', gone: 'gone' } as const;

/** Tells what happens to machines, beside what was to happen. Begins before the change, so that nothing is missed. */
export async function follow(client: Client, plan: Plan, signal: AbortSignal): Promise<Following> {
  const factory = new InformerFactory({ client, clock: systemClock, random: systemRandom });
  const informers = followed.map((resource) => factory.informer(resource));
  try {
    await Promise.all(informers.map((informer) => informer.whenSynced({ signal })));
  } catch (error) {
    await factory.dispose();
    throw error;
  }
  const progress = new Progress(plan, informers);
  return { end: () => progress.end(signal), dispose: () => factory.dispose() };
}

class Progress {
  readonly #plan: Plan;
  readonly #informers: readonly Informer[];
  readonly #startedAt = performance.now();
  readonly #namespaces: ReadonlySet<string>;
  #look: () => void = () => undefined;
  #seen = 0;

  constructor(plan: Plan, informers: readonly Informer[]) {
    this.#plan = plan;
    this.#informers = informers;
    this.#namespaces = new Set([...plan.steps, ...plan.objects].map(({ namespace }) => namespace));
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
      this.#look = () => {
        if (!this.#isComplete()) return;
        process.stdout.write(`  ${this.#time()}  done\n`);
        resolve(exitCodes.ok);
      };
      signal.addEventListener('abort', () => {
        process.stdout.write('The work goes on. Follow it with `kubectl get machines --watch`.\n');
        resolve(exitCodes.interrupted);
      });
      this.#look();
    });
  }

  #note(before: Observed | undefined, after: Observed | undefined): void {
    const object = after ?? before;
    if (object?.kind === 'Machine' && this.#namespaces.has(object.metadata.namespace ?? '')) {
      const event = machineEvent(before, after);
      if (event !== undefined) this.#tell(event);
    }
    this.#look();
  }

  #tell({ verb, name, group }: MachineEvent): void {
    if (verb === 'create' || verb === 'delete') this.#seen += 1;
    process.stdout.write(`  ${this.#time()}  Machine ${name} of ${group.kind} ${group.name}: ${words[verb]}\n`);
  }

  #isComplete(): boolean {
    const expected = this.#plan.steps.filter(({ verb }) => verb !== 'update').length;
    if (this.#seen < expected) return false;
    const objects = this.#informers.flatMap((informer) => informer.list()).filter((object) => this.#isOurs(object));
    return objects.every(isObserved) && unsettledOf(objects).length === 0;
  }

  #isOurs({ metadata }: Observed): boolean {
    return this.#namespaces.has(metadata.namespace ?? '');
  }

  #time(): string {
    return `${((performance.now() - this.#startedAt) / 1_000).toFixed(1)} s`;
  }
}

/** Its conditions speak of what it is to be now, not of what it was to be before. */
function isObserved(object: Observed): boolean {
  const { status } = object as { readonly status?: { readonly observedGeneration?: number } };
  return (status?.observedGeneration ?? 0) >= (object.metadata.generation ?? 0);
}
