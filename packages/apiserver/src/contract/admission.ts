import type { Frozen, GroupVersionKind, GroupVersionResource, KubeObject } from '@slipway/kube';
import type { UserInfo } from './auth.js';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** What admission sees of a request. `object` may be replaced by mutating plugins; everything else is fixed. */
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

/** Mutating plugins run a second time when a webhook or a policy changed the object after others had seen it. */
export interface MutationRound {
  /** True in the second round, after which there is none. */
  readonly repeated: boolean;
  /** Asks for the second round. */
  repeat(): void;
  /** What a plugin remembers from the first round to the second, under its own name. */
  readonly memory: Map<string, unknown>;
}

/**
 * One step of admission. Mutating steps run in order and may change `request.object` in place or replace it; validating
 * steps see the final object. A refusal is a thrown StatusError.
 */
export interface AdmissionPlugin {
  readonly name: string;
  handles(request: AdmissionRequest): boolean;
  /** Runs in the order of mutation but changes nothing, so that the object need not be normalised again. */
  refuse?(request: AdmissionRequest): Promise<void> | void;
  mutate?(request: AdmissionRequest, round: MutationRound): Promise<void> | void;
  validate?(request: AdmissionRequest): Promise<void> | void;
  /** The write did not happen, perhaps after `validate` accepted it: undoes what that reserved. */
  release?(request: AdmissionRequest): void;
}

/** Admission as the registry calls it for each write. */
export interface Admission {
  /** True when a mutating plugin handles the request: without one, the object need not be normalised again. */
  mutates(request: AdmissionRequest): boolean;
  /** Early refusals and mutations, in the order of the plugins. */
  mutate(request: AdmissionRequest): Promise<void>;
  validate(request: AdmissionRequest): Promise<void>;
  /** Undoes reservations of an admitted write that was not committed. */
  release(request: AdmissionRequest): void;
}
