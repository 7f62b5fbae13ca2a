import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import type { DeleteOptions, ListOptions, ObjectKey, PatchBody, Resource } from '../client/index.js';
import type { RemoteCluster } from './remote-cluster.js';
import type { Summaries } from './summaries.js';

/** The verb of a change. `status` is a write of the status subresource, `call` an effect outside any API server. */
export type ChangeVerb = 'create' | 'apply' | 'patch' | 'status' | 'delete' | 'call';

export interface ChangeEvent {
  /** The object that the event is recorded on. */
  readonly about: Frozen<KubeObject>;
  /** `Normal` by default; a failure event is a `Warning` by default. */
  readonly type?: 'Normal' | 'Warning';
  /** Defaults to the reason of the change. `message` defaults to the message of the change. */
  readonly reason?: string;
  readonly message?: string;
  /** The action of an events.k8s.io event. Defaults to the verb of the change. */
  readonly action?: string;
}

/** Why a change is made. The log, the event, the metric and the change feed use the same reason and message. */
export interface Cause {
  /** One UpperCamelCase word from the fixed set of reasons of the controller. */
  readonly reason: string;
  /** One sentence for the user. Must not contain a secret. */
  readonly message: string;
  /** Event to record after the change succeeded. */
  readonly event?: ChangeEvent;
  /** Event to record when the change failed. The error is appended to the message. */
  readonly failureEvent?: ChangeEvent;
}

interface ApiChange extends Cause {
  /** The workload or infrastructure cluster to write to. Absent for the management cluster. */
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

/** Server-side apply. Forces conflicts unless `force` is false. */
export interface ApplyChange<T extends KubeObject = KubeObject> extends ApiChange {
  readonly verb: 'apply';
  readonly resource: Resource<T>;
  readonly key: ObjectKey;
  readonly configuration: JsonObject;
  readonly fieldManager: string;
  readonly subresource?: string;
  readonly force?: boolean;
  /**
   * The object as last read, or `absent` if the apply creates it. By comparing with it, the executor finds out whether the apply
   * changed anything. Without it, the executor compares with the result of its previous apply of the object.
   */
  readonly current?: Frozen<NoInfer<T>> | 'absent';
}

/** A server-side apply that is previewed, not made. */
export type ApplyPreview<T extends KubeObject = KubeObject> = Omit<ApplyChange<T>, 'verb' | 'current' | keyof Cause>;

interface Difference<T extends KubeObject> extends ApiChange {
  readonly resource: Resource<T>;
  readonly before: Frozen<NoInfer<T>>;
  readonly after: Frozen<NoInfer<T>>;
  /** Condition types owned by this controller: its values override those of other writers. None by default. */
  readonly ownedConditions?: readonly string[] | 'all';
  /**
   * Whether to raise observedGeneration to the generation that results from the spec change of this patch. Otherwise another
   * reconcile would run only to raise that number.
   */
  readonly observesOwnChange?: boolean;
  /** The parts of the status that may be written a moment later. None by default. */
  readonly summaries?: Summaries;
}

/**
 * Sends the difference between `before` and `after` as the smallest merge patches: one for the object, one for its status.
 * Sends nothing when nothing differs. On a conflict over finalizers, owner references or conditions, reads the object again and
 * reapplies the difference.
 */
export interface PatchChange<T extends KubeObject = KubeObject> extends Difference<T> {
  readonly verb: 'patch';
}

/** Like PatchChange, for the status subresource only. */
export interface StatusChange<T extends KubeObject = KubeObject> extends Difference<T> {
  readonly verb: 'status';
}

/**
 * Sends a given patch. Prefer PatchChange, which computes the patch. The executor can detect a patch that changes nothing only
 * if the patch contains a resourceVersion.
 */
export interface RawPatchChange<T extends KubeObject = KubeObject> extends ApiChange {
  readonly verb: 'patch';
  readonly resource: Resource<T>;
  readonly key: ObjectKey;
  readonly body: PatchBody;
  readonly subresource?: string;
}

/** Replaces the whole object. For resources that do not support patch, such as `certificatesigningrequests/approval`. */
export interface ReplaceChange<T extends KubeObject = KubeObject> extends ApiChange {
  readonly verb: 'patch';
  readonly resource: Resource<T>;
  readonly replacement: NoInfer<T>;
  readonly subresource?: string;
}

/** Deletes an object. Succeeds if the object does not exist. */
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
  /** The object that the call is made for. */
  readonly resource: Resource;
  readonly key: ObjectKey;
  /** What the call does, as a verb phrase: `clone VM`, `remove etcd member`. */
  readonly action: string;
  readonly run: (signal: AbortSignal) => Promise<R>;
  /** The result that a dry run continues with. Without it, a dry run ends the reconcile at this call. */
  readonly assume?: () => R;
}

/** A change whose result is the object as the server stores it. */
export type WriteChange<T extends KubeObject = KubeObject> =
  | CreateChange<T>
  | ApplyChange<T>
  | PatchChange<T>
  | StatusChange<T>
  | RawPatchChange<T>
  | ReplaceChange<T>;

export type Change = WriteChange | CreateSubresourceChange | DeleteChange | DeleteAllChange | CallChange;
