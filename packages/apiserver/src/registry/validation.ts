import {
  asJson,
  type EmbeddedMetadataCheck,
  evaluateRules,
  finalizerWarnings,
  type FieldError,
  type Frozen,
  invalid,
  invalidField,
  type KubeObject,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  type ObjectMeta,
  type RuleEvaluator,
  type StatusError,
  validate,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@slipway/kube';
import type { ResourceVersionDefinition } from '../contract/index.js';
import { valueAtPath } from './json-path.js';
import { kindOf, type Write } from './write.js';

/** Groups that upstream's extension servers serve. They accept any qualified finalizer, as for custom resources. */
const looseFinalizerGroups: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Validates a new object. Throws 422 with all errors. */
export function validateCreate(write: Write, object: Frozen<KubeObject>): void {
  const { definition, version } = write.served;
  const errors: FieldError[] = [
    ...metaErrors(write, object),
    ...(definition.custom ? validate(version.schema, asJson(object), { rules: rulesOf(write), embeddedMetadata }) : []),
    ...(definition.custom ? replicasErrors(version, object) : []),
    ...(write.strategy.validateCreate?.(object, write.context) ?? []),
  ];
  if (errors.length > 0) throw invalidObject(write, object, errors);
}

export function validateUpdate(write: Write, object: Frozen<KubeObject>, old: Frozen<KubeObject>): void {
  const { definition, version } = write.served;
  const errors: FieldError[] = [
    ...metaErrors(write, object),
    ...validateObjectMetaUpdate(object.metadata, old.metadata, { custom: takesAnyFinalizer(write) }),
    ...(definition.custom
      ? validate(version.schema, asJson(object), {
          old: asJson(old),
          subresource: write.subresource,
          rules: rulesOf(write),
          embeddedMetadata,
        })
      : []),
    ...(definition.custom ? replicasErrors(version, object) : []),
    ...(write.strategy.validateUpdate?.(object, old, write.context) ?? []),
  ];
  if (errors.length > 0) throw invalidObject(write, object, errors);
}

/** Returns the evaluator of CEL rules. By ratcheting, errors of unchanged values do not fail an update but become warnings. */
function rulesOf(write: Write): RuleEvaluator {
  return { evaluate: (request) => evaluateRules({ ...request, warn: (text) => write.caller.warn(text) }) };
}

function takesAnyFinalizer({ served: { definition } }: Write): boolean {
  return definition.custom || looseFinalizerGroups.has(definition.group);
}

/** Validates the metadata of an embedded object as if it had a name and a namespace: it gets them when it is created. */
const embeddedMetadata: EmbeddedMetadataCheck = (metadata, path) => {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return [];
  const meta = metadata as Frozen<ObjectMeta>;
  const named = { ...meta, name: meta.name || 'fakename', namespace: meta.namespace || 'fakenamespace' };
  return validateObjectMeta(named, { namespaced: true, custom: true, validateName: nameIsPathSegment }, path);
};

const replicasMax = 2_147_483_647;

/** Validates that the replicas of a custom resource are valid for a Scale, whatever its schema allows. */
function replicasErrors(version: ResourceVersionDefinition, object: Frozen<KubeObject>): readonly FieldError[] {
  const path = version.subresources.scale?.specReplicas;
  const replicas = path === undefined ? undefined : valueAtPath(object, path);
  if (path === undefined || typeof replicas !== 'number') return [];
  if (replicas < 0) return [invalidField(path, replicas, 'should be a non-negative integer')];
  return replicas > replicasMax ? [invalidField(path, replicas, `should be less than or equal to ${replicasMax}`)] : [];
}

function metaErrors(write: Write, object: Frozen<KubeObject>): readonly FieldError[] {
  const { definition } = write.served;
  if (definition.custom)
    for (const text of finalizerWarnings(object.metadata.finalizers ?? [])) write.caller.warn(text);
  return validateObjectMeta(object.metadata, {
    namespaced: definition.namespaced,
    custom: takesAnyFinalizer(write),
    validateName: (name, prefix) =>
      definition.strategy.validateName?.(name, prefix) ?? nameIsDnsSubdomain(name, prefix),
  });
}

function invalidObject(write: Write, object: Frozen<KubeObject>, errors: readonly FieldError[]): StatusError {
  return invalid(kindOf(write.served), object.metadata.name ?? write.name, errors);
}
