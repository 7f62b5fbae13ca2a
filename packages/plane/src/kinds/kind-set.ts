import type { Converter } from '@slipway/apiserver';
import type { FieldError, Frozen, Kind, KubeObject } from '@slipway/kube';

/** Request options that admission rules can read. */
interface RuleRequest {
  /** Whether the request is a dry run, which stores nothing. */
  readonly dryRun: boolean;
}

/** A write, for rules that read other objects. `old` is absent on create, `object` on delete. */
export interface ValidatedChange extends RuleRequest {
  readonly object?: Frozen<KubeObject>;
  readonly old?: Frozen<KubeObject>;
}

/** Admission rules of a kind. All functions receive objects at the storage version. */
export interface KindRules {
  readonly kind: Kind;
  /** Changes `object` in place. */
  applyDefaults(object: KubeObject, old: Frozen<KubeObject> | undefined, request: RuleRequest): void;
  validate(
    object: Frozen<KubeObject>,
    old: Frozen<KubeObject> | undefined,
    request: RuleRequest,
  ): readonly FieldError[];
  /**
   * Validates against other objects. Runs only if `validate` found no errors, and also before deletions. May throw to deny the
   * request.
   */
  validateLive?(change: ValidatedChange): Promise<readonly FieldError[]>;
}

/**
 * Kinds with their admission rules and conversions. They run in process on the embedded server and as webhooks on external
 * servers.
 */
export interface KindSet {
  /** Prefix of the webhook configuration names: `<name>-mutating-webhook-configuration`. */
  readonly name: string;
  readonly kinds: readonly Kind[];
  /** Converters of kinds with more than one served version. */
  readonly converters: ReadonlyMap<Kind, Converter>;
  readonly rules: readonly KindRules[];
  /** Labels of every CRD, in addition to the labels of its kind. Tools find installed CRDs by them. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Returns upstream's webhook name, such as `validation.cluster.cluster.x-k8s.io`: denials contain it and users search for it. */
export function ruleName(purpose: 'default' | 'validation', kind: Kind): string {
  return `${purpose}.${kind.singular}.${kind.group}`;
}
