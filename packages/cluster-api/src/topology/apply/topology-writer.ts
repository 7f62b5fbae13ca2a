import { type Frozen, isReason, type KubeObject, type MutableJsonObject, StatusError } from '@slipway/kube';
import type { Client, ReconcileContext, Resource } from '@slipway/runtime';
import { fieldManagers, machineDeployments, machineHealthChecks, machinePools } from '../../api/index.js';
import { describe } from '../current-state.js';
import type { FieldPath } from '../json-fields.js';
import { kindAtVersion } from '../provider-objects.js';
import type { ObservedCluster, ObservedObject } from '../topology-state.js';
import { compareByDryRun, type Difference, intentOf } from './compare-by-dry-run.js';
import type { NoOpCache } from './no-op-cache.js';

const ownKinds = new Map<string, Resource>(
  [machineDeployments, machinePools, machineHealthChecks].map((resource) => [resource.kind, resource]),
);

/** Writes the objects of one topology: applied with one field manager, and only when that changes something. */
export class TopologyWriter {
  readonly client: Client;
  readonly cluster: ObservedCluster;
  readonly #context: ReconcileContext;
  readonly #cache: NoOpCache;

  constructor(context: ReconcileContext, cluster: ObservedCluster, cache: NoOpCache) {
    this.client = context.client;
    this.cluster = cluster;
    this.#context = context;
    this.#cache = cache;
  }

  async create(desired: KubeObject, ignored: readonly FieldPath[] = []): Promise<Frozen<KubeObject>> {
    const resource = this.resourceOf(desired);
    try {
      return await this.#apply(resource, desired, intentOf(desired, ignored));
    } catch (error) {
      throw withoutName(error, desired);
    }
  }

  /** What applying would change; nothing is asked when nothing was going to change last time either. */
  async compare(current: ObservedObject, desired: KubeObject, ignored: readonly FieldPath[] = []): Promise<Difference> {
    const intent = intentOf(desired, ignored);
    if (this.#cache.has(current, intent)) return { isChanged: false, isSpecChanged: false };
    const resource = this.resourceOf(desired);
    const difference = await compareByDryRun(this.client, resource, current, intent, this.#context.signal);
    if (!difference.isChanged) this.#cache.add(current, intent);
    return difference;
  }

  async patch(
    current: ObservedObject,
    desired: KubeObject,
    ignored: readonly FieldPath[] = [],
  ): Promise<Frozen<KubeObject>> {
    const resource = this.resourceOf(desired);
    try {
      return await this.#apply(resource, desired, intentOf(desired, ignored), current.metadata.uid);
    } catch (error) {
      throw new Error(`failed to patch ${describe(current)}: ${messageOf(error)}`, { cause: error });
    }
  }

  /** What is gone already is as good as deleted. */
  async delete(object: ObservedObject): Promise<void> {
    const resource = this.resourceOf(object);
    const { namespace = '', name = '', uid } = object.metadata;
    try {
      const options = { ...(uid !== undefined && { preconditions: { uid } }), signal: this.#context.signal };
      await this.client.delete(resource, { namespace, name }, options);
    } catch (error) {
      if (isReason(error, 'NotFound')) return;
      throw new Error(`failed to delete ${describe(object)}: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Takes back what was made for something that then failed. When that fails too, it goes with the cluster. */
  async discard(object: ObservedObject): Promise<void> {
    try {
      await this.delete(object);
    } catch (err) {
      this.#context.logger.warn({ [object.kind]: keyText(object), err }, 'Cleaning up after a failure failed');
    }
  }

  tell(reason: 'TopologyCreate' | 'TopologyUpdate' | 'TopologyDelete', message: string, on?: ObservedObject): void {
    const action = reason.slice('Topology'.length);
    this.#context.events.record(on ?? (this.cluster as Frozen<KubeObject>), {
      type: 'Normal',
      reason,
      action,
      message,
    });
    this.#context.logger.info({ reason }, message);
  }

  resourceOf({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): Resource {
    return ownKinds.get(kind) ?? kindAtVersion(this.#context.sources, { apiVersion, kind }).resource;
  }

  /** With the uid of an object it is that object or none. */
  async #apply(
    resource: Resource,
    desired: KubeObject,
    intent: MutableJsonObject,
    uid?: string,
  ): Promise<Frozen<KubeObject>> {
    const { namespace = '', name = '' } = desired.metadata;
    const options = { fieldManager: fieldManagers.topology, force: true, signal: this.#context.signal };
    const metadata = { ...(intent['metadata'] as MutableJsonObject), ...(uid !== undefined && { uid }) };
    const applied = await this.client.apply(resource, { namespace, name }, { ...intent, metadata }, options);
    // What was just applied changes nothing when it is applied again.
    this.#cache.add(applied, intent);
    return applied;
  }
}

export function keyText({ metadata }: Pick<Frozen<KubeObject>, 'metadata'>): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/**
 * A failed creation told without the name of the object: that is drawn anew each time, and a condition whose message changes
 * each time would wake everybody who watches it.
 */
function withoutName(error: unknown, { apiVersion, kind }: KubeObject): Error {
  if (!(error instanceof StatusError)) return error instanceof Error ? error : new Error(String(error));
  const group = apiVersion.split('/')[0] ?? '';
  const { details } = error.toStatus();
  const causes = (details?.causes ?? []).map(
    ({ reason = '', field = '', message = '' }) => `${reason}: ${field}: ${message}`,
  );
  const text = causes.length === 0 ? '' : `: ${causes.join(' ')}`;
  return new Error(`failed to create ${kind}.${group}${text}`, { cause: error });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
