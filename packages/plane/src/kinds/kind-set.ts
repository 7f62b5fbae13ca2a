import type { Converter } from '@slipway/apiserver';
import type { FieldError, Frozen, Kind, KubeObject } from '@slipway/kube';

/** Context of a write for admission rules. */
interface RuleRequest {
  /** Dry run: nothing will be stored. */
  readonly dryRun: boolean;
}

/** A write as rules see it that read other objects. `old` is absent on create, the new object on delete. */
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
  /** Rules that read other objects. Run last, and also before deletions. They may throw to deny the request. */
  validateLive?(change: ValidatedChange): Promise<readonly FieldError[]>;
}

/** Kinds with their admission rules and conversions: in process on the embedded server, by webhook on others. */
export interface KindSet {
  /** Prefix of the webhook configuration names: `<name>-mutating-webhook-configuration`. */
  readonly name: string;
  readonly kinds: readonly Kind[];
  /** Converters of kinds with more than one served version. */
  readonly converters: ReadonlyMap<Kind, Converter>;
  readonly rules: readonly KindRules[];
  /** Labels of every CRD, in addition to those of its kind, by which tools find installed CRDs. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** `validation.cluster.cluster.x-k8s.io`: upstream's webhook name, which denials contain and users search for. */
export function ruleName(purpose: 'default' | 'validation', kind: Kind): string {
  return `${purpose}.${kind.singular}.${kind.group}`;
}
