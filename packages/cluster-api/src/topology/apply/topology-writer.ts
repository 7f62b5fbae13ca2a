import { type Frozen, type KubeObject, StatusError } from '@slipway/kube';
import { type Cause, type EventFact, keyOf, type Reader, type ReconcileContext, type Resource } from '@slipway/runtime';
import { fieldManagers, machineDeployments, machineHealthChecks, machinePools } from '../../api/index.js';
import { describe } from '../current-state.js';
import type { FieldPath } from '../json-fields.js';
import { kindAtVersion } from '../provider-objects.js';
import type { ObservedCluster, ObservedObject } from '../topology-state.js';
import { compareByDryRun, type Difference, intentOf, type NoOpCache } from './compare-by-dry-run.js';

const ownKinds = new Map<string, Resource>(
  [machineDeployments, machinePools, machineHealthChecks].map((resource) => [resource.kind, resource]),
);

/** Why a topology writes an object. */
export interface TopologyCause {
  readonly reason:
    | 'TopologyCreated'
    | 'TopologyChanged'
    | 'VersionChanged'
    | 'MetadataChanged'
    | 'TemplateRotated'
    | 'RemovedFromTopology'
    | 'CreationFailed';
  readonly message: string;
}

export interface WriteOptions {
  /** Fields of the desired object that are not applied, because other managers own them. */
  readonly ignored?: readonly FieldPath[];
  /** The object that the event is recorded on. Defaults to the Cluster. */
  readonly eventOn?: 'cluster' | 'object' | 'none';
}

/** Writes the objects of one topology with one field manager. Skips writes that change nothing. */
export class TopologyWriter {
  readonly cluster: ObservedCluster;
  readonly #context: ReconcileContext;
  readonly #cache: NoOpCache;

  constructor(context: ReconcileContext, cluster: ObservedCluster, cache: NoOpCache) {
    this.cluster = cluster;
    this.#context = context;
    this.#cache = cache;
  }

  get read(): Reader {
    return this.#context.read;
  }

  async create(desired: KubeObject, cause: TopologyCause, options: WriteOptions = {}): Promise<void> {
    const { eventOn = 'cluster', ignored } = options;
    // An event on the object itself needs its uid, which the server assigns.
    const event = eventOn === 'cluster' ? this.#event('TopologyCreate', eventOn) : {};
    try {
      const made = await this.#apply(desired, ignored, 'absent', { ...cause, ...event });
      if (eventOn === 'object')
        this.#context.events.record(made, { ...eventFact('TopologyCreate'), message: cause.message });
    } catch (error) {
      throw withoutName(error, desired);
    }
  }

  /** Returns what an apply would change. Sends no request while neither the object nor the intent has changed. */
  async compare(current: ObservedObject, desired: KubeObject, ignored: readonly FieldPath[] = []): Promise<Difference> {
    const intent = intentOf(desired, ignored);
    if (this.#cache.has(current, intent)) return { isChanged: false, isSpecChanged: false };
    const difference = await compareByDryRun(this.#context, this.#resourceOf(desired), current, intent);
    if (!difference.isChanged) this.#cache.add(current, intent);
    return difference;
  }

  async patch(
    current: ObservedObject,
    desired: KubeObject,
    cause: TopologyCause,
    { eventOn = 'cluster', ignored }: WriteOptions = {},
  ): Promise<void> {
    const event = this.#event('TopologyUpdate', eventOn, current);
    try {
      await this.#apply(desired, ignored, current, { ...cause, ...event });
    } catch (error) {
      throw new Error(`failed to patch ${describe(current)}: ${messageOf(error)}`, { cause: error });
    }
  }

  async delete(
    object: ObservedObject,
    cause: TopologyCause,
    { eventOn = 'cluster' }: Pick<WriteOptions, 'eventOn'> = {},
  ): Promise<void> {
    const { uid } = object.metadata;
    const event = this.#event('TopologyDelete', eventOn, object);
    try {
      await this.#context.change({
        verb: 'delete',
        resource: this.#resourceOf(object),
        key: keyOf(object),
        ...(uid !== undefined && { options: { preconditions: { uid } } }),
        ...cause,
        ...event,
      });
    } catch (error) {
      throw new Error(`failed to delete ${describe(object)}: ${messageOf(error)}`, { cause: error });
    }
  }

  /**
   * Deletes a new object if the object that should reference it could not be written. If that fails too, it is deleted with the
   * cluster.
   */
  async discard(object: ObservedObject): Promise<void> {
    const message = `Deleted ${object.kind} "${keyText(object)}": the object that references it could not be written`;
    try {
      await this.delete(object, { reason: 'CreationFailed', message }, { eventOn: 'none' });
    } catch (err) {
      this.#context.logger.warn({ [object.kind]: keyText(object), err }, 'Failed to clean up after an error');
    }
  }

  #event(
    reason: TopologyEvent,
    eventOn: NonNullable<WriteOptions['eventOn']>,
    object: ObservedObject = this.cluster,
  ): Pick<Cause, 'event'> {
    if (eventOn === 'none') return {};
    return { event: { about: eventOn === 'object' ? object : this.cluster, ...eventFact(reason) } };
  }

  #resourceOf({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): Resource {
    return ownKinds.get(kind) ?? kindAtVersion(this.#context.sources, { apiVersion, kind }).resource;
  }

  /** Applies an intent. Fails if the object was replaced by another one, which has another uid. */
  async #apply(
    desired: KubeObject,
    ignored: readonly FieldPath[] | undefined,
    current: ObservedObject | 'absent',
    cause: Cause,
  ): Promise<Frozen<KubeObject>> {
    const intent = intentOf(desired, ignored);
    const uid = current === 'absent' ? undefined : current.metadata.uid;
    const metadata = { ...intent.metadata, ...(uid !== undefined && { uid }) };
    const applied = await this.#context.change({
      verb: 'apply',
      resource: this.#resourceOf(desired),
      key: keyOf(desired),
      configuration: { ...intent, metadata },
      current,
      fieldManager: fieldManagers.topology,
      ...cause,
    });
    // Applying the same intent again would change nothing.
    this.#cache.add(applied, intent);
    return applied;
  }
}

type TopologyEvent = 'TopologyCreate' | 'TopologyUpdate' | 'TopologyDelete';

function eventFact(reason: TopologyEvent): Omit<EventFact, 'message'> {
  return { type: 'Normal', reason, action: reason.slice('Topology'.length) };
}

export function keyText({ metadata }: Pick<Frozen<KubeObject>, 'metadata'>): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/**
 * Removes the generated object name from a create error. The name differs on every attempt, and a condition message that changes
 * each time would trigger every controller that watches the object.
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
