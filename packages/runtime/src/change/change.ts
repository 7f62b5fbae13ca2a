import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import type { DeleteOptions, ListOptions, ObjectKey, PatchBody, Resource } from '../client/index.js';
import type { RemoteCluster } from './remote-cluster.js';

/** What happened to a target. `status` is a write of the status subresource, `call` an effect outside any API server. */
export type ChangeVerb = 'create' | 'apply' | 'patch' | 'status' | 'delete' | 'call';

export interface ChangeEvent {
  /** The object that the event is about. */
  readonly about: Frozen<KubeObject>;
  /** `Normal` by default; a failure event is a `Warning` by default. */
  readonly type?: 'Normal' | 'Warning';
  /** The reason and message of the change by default. */
  readonly reason?: string;
  readonly message?: string;
  /** What was done, as events of events.k8s.io name it; the verb of the change by default. */
  readonly action?: string;
}

/** Why a change is made. The same words reach the log, the event, the metric and the change feed. */
export interface Cause {
  /** One upper camel case word from a closed set. */
  readonly reason: string;
  /** One sentence for people. Never contains a secret. */
  readonly message: string;
  /** Recorded once the change has been made. */
  readonly event?: ChangeEvent;
  /** Recorded when the change failed; the error follows its message. */
  readonly failureEvent?: ChangeEvent;
}

interface ApiChange extends Cause {
  /** The workload or infrastructure cluster to write to; the management cluster when absent. */
  readonly on?: RemoteCluster;
  readonly fieldManager?: string;
}

export interface CreateChange<T extends KubeObject = KubeObject> extends ApiChange {
  readonly verb: 'create';
  readonly resource: Resource<T>;
  readonly object: NoInfer<T>;
}

/** POST to a create-only subresource, such as pods/eviction. */
export interface CreateSubresourceChange extends ApiChange {
  readonly verb: 'create';
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly subresource: string;
  readonly body: JsonObject;
}

/** Server-side apply; forces conflicts unless `force` is false, as a controller should. */
export interface ApplyChange<T extends KubeObject = KubeObject> extends ApiChange {
  readonly verb: 'apply';
  readonly resource: Resource<T>;
  readonly key: ObjectKey;
  readonly configuration: JsonObject;
  readonly fieldManager: string;
  readonly subresource?: string;
  readonly force?: boolean;
}

/** An apply that is tried, not made. */
export type ApplyPreview<T extends KubeObject = KubeObject> = Omit<ApplyChange<T>, 'verb' | keyof Cause>;

interface Difference<T extends KubeObject> extends ApiChange {
  readonly resource: Resource<T>;
  readonly before: Frozen<NoInfer<T>>;
  readonly after: Frozen<NoInfer<T>>;
  /** Condition types owned by this controller: its values win over those of other writers. None by default. */
  readonly ownedConditions?: readonly string[] | 'all';
  /**
   * Raise observedGeneration to the generation that this patch's own spec change creates. Without it, another reconcile would
   * run only to raise that number.
   */
  readonly observesOwnChange?: boolean;
}

/**
 * Sends what differs between `before` and `after` as the smallest merge patches: one for the object, one for its status. Sends
 * nothing when nothing differs. On a conflict over finalizers, owner references or conditions, reads again and carries the
 * difference over.
 */
export interface PatchChange<T extends KubeObject = KubeObject> extends Difference<T> {
  readonly verb: 'patch';
}

/** The same for the status alone. */
export interface StatusChange<T extends KubeObject = KubeObject> extends Difference<T> {
  readonly verb: 'status';
}

/** Sends a given patch. Prefer PatchChange, which computes it. */
export interface RawPatchChange<T extends KubeObject = KubeObject> extends ApiChange {
  readonly verb: 'patch';
  readonly resource: Resource<T>;
  readonly key: ObjectKey;
  readonly body: PatchBody;
  readonly subresource?: string;
}

/** Replaces the whole object, for kinds and subresources that take no patch (`certificatesigningrequests/approval`). */
export interface ReplaceChange<T extends KubeObject = KubeObject> extends ApiChange {
  readonly verb: 'patch';
  readonly resource: Resource<T>;
  readonly replacement: NoInfer<T>;
  readonly subresource?: string;
}

/** Deleting what does not exist succeeds. */
export interface DeleteChange<T extends KubeObject = KubeObject> extends ApiChange {
  readonly verb: 'delete';
  readonly resource: Resource<T>;
  readonly key: ObjectKey;
  readonly options?: Omit<DeleteOptions, 'signal' | 'dryRun'>;
}

export interface DeleteAllChange extends ApiChange {
  readonly verb: 'delete';
  readonly resource: Resource;
  readonly list: Omit<ListOptions, 'signal'>;
  readonly options?: Omit<DeleteOptions, 'signal' | 'dryRun'>;
}

/** An effect outside the API server: a vCenter task, a QEMU process, an etcd member removal. */
export interface CallChange<R = unknown> extends Cause {
  readonly verb: 'call';
  /** The object on whose behalf the call is made. */
  readonly resource: Resource;
  readonly key: ObjectKey;
  /** What the call does, as a verb phrase: `clone VM`, `remove etcd member`. */
  readonly action: string;
  readonly run: (signal: AbortSignal) => Promise<R>;
  /** The result that a dry run continues with. Without it, a dry run ends the reconcile here. */
  readonly assume?: () => R;
}

/** A change whose result is the object as the server has it afterwards. */
export type WriteChange<T extends KubeObject = KubeObject> =
  | CreateChange<T>
  | ApplyChange<T>
  | PatchChange<T>
  | StatusChange<T>
  | RawPatchChange<T>
  | ReplaceChange<T>;

export type Change = WriteChange | CreateSubresourceChange | DeleteChange | DeleteAllChange | CallChange;
