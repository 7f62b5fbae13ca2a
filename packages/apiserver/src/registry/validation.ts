import {
  asJson,
  evaluateRules,
  type FieldError,
  type Frozen,
  invalid,
  type KubeObject,
  nameIsDnsSubdomain,
  type RuleEvaluator,
  type StatusError,
  validate,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@slipway/kube';
import type { ResourceDefinition } from './resource.js';
import { kindOf, type Write } from './write.js';

const ruleEvaluator: RuleEvaluator = { evaluate: evaluateRules };

/** Everything wrong with the object, in one answer. */
export function validateCreate(write: Write, object: Frozen<KubeObject>): void {
  const { definition, version } = write.served;
  const errors: FieldError[] = [
    ...metaErrors(write, object),
    ...(definition.custom ? validate(version.schema, asJson(object), { rules: ruleEvaluator }) : []),
    ...(write.strategy.validateCreate?.(object, write.context) ?? []),
  ];
  if (errors.length > 0) throw invalidObject(write, object, errors);
}

export function validateUpdate(write: Write, object: Frozen<KubeObject>, old: Frozen<KubeObject>): void {
  const { definition, version } = write.served;
  const errors: FieldError[] = [
    ...metaErrors(write, object),
    ...validateObjectMetaUpdate(object.metadata, old.metadata, { custom: takesAnyFinalizer(definition) }),
    ...(definition.custom
      ? validate(version.schema, asJson(object), {
          old: asJson(old),
          subresource: write.subresource,
          rules: ruleEvaluator,
        })
      : []),
    ...(write.strategy.validateUpdate?.(object, old, write.context) ?? []),
  ];
  if (errors.length > 0) throw invalidObject(write, object, errors);
}

function metaErrors(write: Write, object: Frozen<KubeObject>): readonly FieldError[] {
  const { definition } = write.served;
  return validateObjectMeta(object.metadata, {
    namespaced: definition.namespaced,
    custom: takesAnyFinalizer(definition),
    validateName: (name, prefix) =>
      definition.strategy.validateName?.(name, prefix) ?? nameIsDnsSubdomain(name, prefix),
  });
}

const lenientGroups: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Upstream's extension and aggregation servers never learned the standard finalizers, and use names of their own. */
function takesAnyFinalizer({ custom, group }: ResourceDefinition): boolean {
  return custom || lenientGroups.has(group);
}

function invalidObject(write: Write, object: Frozen<KubeObject>, errors: readonly FieldError[]): StatusError {
  return invalid(kindOf(write.served), object.metadata.name ?? write.name, errors);
}
