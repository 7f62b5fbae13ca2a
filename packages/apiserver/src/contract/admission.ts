import type { Frozen, GroupVersionKind, GroupVersionResource, KubeObject } from '@slipway/kube';
import type { UserInfo } from './auth.js';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A request as admission plugins see it. Mutating plugins may replace `object`; all other fields are fixed. */
export interface AdmissionRequest {
  readonly operation: Operation;
  readonly user: UserInfo;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  /** May be empty on create with generateName. */
  readonly name: string;
  object: KubeObject | undefined;
  readonly oldObject: Frozen<KubeObject> | undefined;
  readonly dryRun: boolean;
  /** The CreateOptions, UpdateOptions, PatchOptions or DeleteOptions as sent to webhooks. */
  readonly options: Readonly<Record<string, unknown>>;
  warn(text: string): void;
  readonly signal: AbortSignal;
}

/** One round of mutating admission. Plugins run a second time if a webhook or policy changed the object after they ran. */
export interface MutationRound {
  /** True in the second round. There is no third round. */
  readonly repeated: boolean;
  /** Requests the second round. */
  repeat(): void;
  /** State that a plugin carries from the first round to the second, keyed by plugin name. */
  readonly memory: Map<string, unknown>;
}

/**
 * One step of admission. Mutating steps run in order and may change `request.object` in place or replace it; validating
 * steps see the final object. A plugin rejects a request by throwing a StatusError.
 */
export interface AdmissionPlugin {
  readonly name: string;
  handles(request: AdmissionRequest): boolean;
  /**
   * Rejects a request without changing its object. Runs in the order of mutating plugins. The object need not be normalised
   * again.
   */
  refuse?(request: AdmissionRequest): Promise<void> | void;
  mutate?(request: AdmissionRequest, round: MutationRound): Promise<void> | void;
  validate?(request: AdmissionRequest): Promise<void> | void;
  /** Releases what `validate` reserved. Called for every write that was not committed, whether or not `validate` accepted it. */
  release?(request: AdmissionRequest): void;
}

/** The admission interface that the registry calls for each write. */
export interface Admission {
  /** Whether a mutating plugin handles the request. If not, the object need not be normalised again. */
  mutates(request: AdmissionRequest): boolean;
  /** Runs `refuse` and `mutate` of all plugins, in plugin order. */
  mutate(request: AdmissionRequest): Promise<void>;
  validate(request: AdmissionRequest): Promise<void>;
  /** Releases the reservations of an admitted write that was not committed. */
  release(request: AdmissionRequest): void;
}
