import type { Converter } from '@slipway/apiserver';
import type { FieldError, Frozen, Kind, KubeObject } from '@slipway/kube';

/** What rules may know of a write beside its objects. */
interface RuleRequest {
  /** Nothing will be stored: the caller only wants to know what would be. */
  readonly dryRun: boolean;
}

/** A write as rules see it that look further than its objects. One of the two is absent when one is made or deleted. */
export interface JudgedChange extends RuleRequest {
  readonly object?: Frozen<KubeObject>;
  readonly old?: Frozen<KubeObject>;
}

/** What happens to objects of a kind before they are stored. All functions see the storage version. */
export interface KindRules {
  readonly kind: Kind;
  /** Changes `object` in place. */
  applyDefaults(object: KubeObject, old: Frozen<KubeObject> | undefined, request: RuleRequest): void;
  validate(
    object: Frozen<KubeObject>,
    old: Frozen<KubeObject> | undefined,
    request: RuleRequest,
  ): readonly FieldError[];
  /** Rules that have to read other objects; asked last, and before deletions as well. A refusal may also be thrown. */
  judge?(change: JudgedChange): Promise<readonly FieldError[]>;
}

/** Kinds with all that a server must know of them: in process on the embedded one, by webhook on any other. */
export interface KindSet {
  /** Names the webhook configurations: `<name>-mutating-webhook-configuration`. */
  readonly name: string;
  readonly kinds: readonly Kind[];
  /** Of the kinds that are served in more than one version. */
  readonly converters: ReadonlyMap<Kind, Converter>;
  readonly rules: readonly KindRules[];
  /** On every definition, beside those of its kind: by which tools know what was installed for them. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** `validation.cluster.cluster.x-k8s.io`: refusals name the rule, and people search for what upstream calls it. */
export function ruleName(purpose: 'default' | 'validation', kind: Kind): string {
  return `${purpose}.${kind.singular}.${kind.group}`;
}
