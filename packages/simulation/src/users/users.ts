import { sleep, type VirtualClock } from '@slipway/base';
import { clusters, labels, machines } from '@slipway/cluster-api';
import { isReason, StatusError } from '@slipway/kube';
import { type Client, ConnectionError } from '@slipway/runtime';
import type { Provider } from '../providers/provider.js';
import type { Plan, UserAction } from '../plan/plan.js';
import type { Transcript } from '../report/transcript.js';
import { namespace } from '../objects/names.js';
import { isDeleting } from '../objects/object-fields.js';
import type { ClusterForm, Edit } from './cluster-form.js';
import type { DesiredCluster } from '../objects/desired-cluster.js';
import type { Mover } from './mover.js';
import { plainForm } from './plain-form.js';
import { topologyForm } from './topology-form.js';

export interface UsersDependencies {
  /** One client for each plane. */
  readonly clients: readonly Client[];
  readonly provider: Provider;
  /** Moves clusters between planes. Undefined with only one plane. */
  readonly mover: Mover | undefined;
  readonly time: VirtualClock;
  readonly transcript: Transcript;
  /** Called with errors that users should never see. */
  readonly failed: (error: unknown) => void;
}

/** The replica counts to which a user scales a cluster. */
interface Sizes {
  readonly controlPlanes: readonly number[];
  readonly workers: readonly number[];
}

const largeSizes: Sizes = { controlPlanes: [1, 3, 3, 5], workers: [0, 1, 2, 3, 4] };
const smallSizes: Sizes = { controlPlanes: [1, 3], workers: [0, 1, 2] };

/** A cluster from its user's point of view. */
export interface UserCluster {
  desired: DesiredCluster;
  state: 'pending' | 'created' | 'deleted';
  paused: boolean;
  readonly sizes: Sizes;
  /** Index of the plane that contains the cluster. */
  home: number;
}

const versions = ['v1.33.0', 'v1.34.0', 'v1.35.0', 'v1.36.0'] as const;
const retryMs = 3_000;

/** Simulates users with kubectl. Their actions on one cluster run in sequence and are retried while the server is down. */
export class Users {
  readonly clusters: readonly UserCluster[];
  readonly #dependencies: UsersDependencies;
  readonly #queues: Promise<void>[];
  readonly #form: ClusterForm;
  #busy = 0;

  constructor(dependencies: UsersDependencies, plan: Plan) {
    this.#dependencies = dependencies;
    this.#form = plan.classes ? topologyForm : plainForm(dependencies.provider);
    this.clusters = Array.from({ length: plan.clusters }, (_, index) => ({
      desired: initialDesiredCluster(
        `c${index}`,
        plan.actions.find(({ cluster, kind }) => cluster === index && kind === 'create'),
        index >= plan.large,
      ),
      sizes: index < plan.large ? largeSizes : smallSizes,
      state: 'pending',
      paused: false,
      home: 0,
    }));
    this.#queues = this.clusters.map(() => Promise.resolve());
  }

  /** Whether a user action is still pending. */
  get isBusy(): boolean {
    return this.#busy > 0;
  }

  do(action: UserAction): void {
    const cluster = this.clusters[action.cluster];
    if (cluster === undefined) return;
    this.#busy += 1;
    const queue = this.#queues[action.cluster] ?? Promise.resolve();
    this.#queues[action.cluster] = queue
      .then(() => this.#act(cluster, action))
      .catch((error: unknown) => this.#dependencies.failed(error))
      .finally(() => {
        this.#busy -= 1;
      });
  }

  async #act(cluster: UserCluster, action: UserAction): Promise<void> {
    const { name } = cluster.desired;
    if (!isPossible(action.kind, cluster.state)) return;
    this.#dependencies.transcript.write(`user: ${action.kind} ${name}`);
    await this.#perform(cluster, action);
  }

  async #perform(cluster: UserCluster, { kind, amount }: UserAction): Promise<void> {
    const { desired } = cluster;
    switch (kind) {
      case 'create':
        cluster.state = 'created';
        for (const [resource, object] of this.#form.manifests(desired))
          await this.#retry(cluster, (client) => client.create(resource, structuredClone(object)), 'AlreadyExists');
        return;
      case 'scaleControlPlane':
        cluster.desired = { ...desired, controlPlanes: atAmount(cluster.sizes.controlPlanes, amount) };
        return this.#write(cluster, this.#form.scaleControlPlane(cluster.desired));
      case 'scaleWorkers':
        cluster.desired = { ...desired, workers: atAmount(cluster.sizes.workers, amount) };
        return this.#write(cluster, this.#form.scaleWorkers(cluster.desired));
      case 'upgrade':
        return this.#upgrade(cluster);
      case 'changeTemplate':
        return this.#changeTemplate(cluster);
      case 'pause':
      case 'resume':
        cluster.paused = kind === 'pause';
        return this.#write(cluster, [
          { resource: clusters, name: desired.name, patch: { spec: { paused: cluster.paused } } },
        ]);
      case 'deleteMachine':
        return this.#deleteMachine(cluster, amount);
      case 'move':
        return this.#move(cluster);
      case 'deleteCluster':
        cluster.state = 'deleted';
        await this.#retry(cluster, (client) => client.delete(clusters, { namespace, name: desired.name }), 'NotFound');
        // Do not wait for the deletion: the invariants check that it completes.
        void this.#deleteRemaining(cluster).catch((error: unknown) => this.#dependencies.failed(error));
    }
  }

  async #upgrade(cluster: UserCluster): Promise<void> {
    const next = versions[versions.indexOf(cluster.desired.version as (typeof versions)[number]) + 1];
    if (next === undefined) return;
    cluster.desired = { ...cluster.desired, version: next };
    await this.#write(cluster, this.#form.upgrade(cluster.desired));
  }

  async #changeTemplate(cluster: UserCluster): Promise<void> {
    cluster.desired = { ...cluster.desired, template: cluster.desired.template + 1 };
    const { desired } = cluster;
    const [resource, object] = this.#dependencies.provider.machineTemplate(desired);
    await this.#retry(cluster, (client) => client.create(resource, structuredClone(object)), 'AlreadyExists');
    await this.#write(cluster, this.#form.changeTemplate(desired));
  }

  /** Moves the cluster to the next plane. Other actions on it wait until the move is complete. */
  async #move(cluster: UserCluster): Promise<void> {
    const to = (cluster.home + 1) % this.#dependencies.clients.length;
    await this.#dependencies.mover?.move(cluster.desired.name, cluster.home, to);
    cluster.home = to;
  }

  /** Waits until the Cluster is deleted, then deletes the objects that only the user deletes. */
  async #deleteRemaining(cluster: UserCluster): Promise<void> {
    const { name } = cluster.desired;
    const remains = this.#form.remains(name);
    if (remains.length === 0) return;
    const find = (client: Client): Promise<unknown> => client.get(clusters, { namespace, name });
    while ((await this.#retry(cluster, find, 'NotFound')) !== undefined) await sleep(this.#dependencies.time, retryMs);
    for (const { resource, name: each } of remains)
      await this.#retry(cluster, (client) => client.delete(resource, { namespace, name: each }), 'NotFound');
  }

  async #deleteMachine(cluster: UserCluster, amount: number): Promise<void> {
    const labelSelector = `${labels.clusterName}=${cluster.desired.name}`;
    const found = await this.#retry(cluster, (client) => client.list(machines, { namespace, labelSelector }));
    const machine = found?.items[Math.floor(amount * found.items.length)];
    // Deleting the only control plane machine loses the cluster, so users do not do it.
    const controlPlanes = found?.items.filter(({ metadata }) =>
      Object.hasOwn(metadata.labels ?? {}, labels.controlPlane),
    );
    const staying = controlPlanes?.filter((each) => !isDeleting(each)) ?? [];
    if (machine === undefined || (controlPlanes?.includes(machine) === true && staying.length < 3)) return;
    const { name = '' } = machine.metadata;
    this.#dependencies.transcript.write(`user: deletes Machine ${name}`);
    await this.#retry(cluster, (client) => client.delete(machines, { namespace, name }), 'NotFound');
  }

  async #write(cluster: UserCluster, edits: readonly Edit[]): Promise<void> {
    for (const { resource, name, patch } of edits)
      await this.#retry(
        cluster,
        (client) => client.patch(resource, { namespace, name }, { type: 'merge', patch: structuredClone(patch) }),
        'NotFound',
      );
  }

  /** Retries while the server is down or reports a conflict. Returns undefined if it fails with the expected reason. */
  async #retry<T>(
    cluster: UserCluster,
    call: (client: Client) => Promise<T>,
    expected?: 'AlreadyExists' | 'NotFound',
  ): Promise<T | undefined> {
    for (;;) {
      try {
        return await call(this.#dependencies.clients[cluster.home] as Client);
      } catch (error) {
        if (expected !== undefined && isReason(error, expected)) return undefined;
        if (!isPassing(error)) throw error;
        await sleep(this.#dependencies.time, retryMs);
      }
    }
  }
}

function atAmount(sizes: readonly number[], amount: number): number {
  return sizes[Math.floor(amount * sizes.length)] ?? 1;
}

/**
 * Returns whether a user can perform the action. A deleted cluster can still be resumed: controllers do not delete paused
 * objects.
 */
function isPossible(kind: UserAction['kind'], state: UserCluster['state']): boolean {
  if (kind === 'create') return state === 'pending';
  return state === 'created' || (kind === 'resume' && state === 'deleted');
}

function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError || isReason(error, 'Conflict')) return true;
  return error instanceof StatusError && error.code >= 500;
}

function initialDesiredCluster(name: string, action: UserAction | undefined, isSmall: boolean): DesiredCluster {
  const amount = action?.amount ?? 0;
  const some = Math.floor(amount * 100) % 2;
  return {
    name,
    controlPlanes: isSmall || amount < 0.6 ? 1 : 3,
    workers: isSmall ? some : 1 + some,
    version: versions[Math.floor(amount * 1_000) % 2] ?? 'v1.34.0',
    template: 0,
    startupSeconds: 5 + (Math.floor(amount * 10_000) % 60),
  };
}
