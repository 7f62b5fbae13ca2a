import { type FieldError, type Frozen, invalidField, type KubeObject } from '@slipway/kube';
import type { WriteContext, WriteStrategy } from '../../registry/index.js';
import { isRecord, listAt, recordAt, textAt } from '../fields.js';
import { jsonEqual } from '../json-equal.js';
import { readRoleRef } from './binding.js';
import { checkBinding, checkRoleEscalation, type EscalationWorld } from './escalation.js';
import { rbacGroup } from './rbac-index.js';
import { validateBinding, validatePathSegment, validateRole } from './rbac-validation.js';

export interface RbacStrategies {
  readonly role: WriteStrategy;
  readonly clusterRole: WriteStrategy;
  readonly roleBinding: WriteStrategy;
  readonly clusterRoleBinding: WriteStrategy;
}

/** The four kinds' rules of writing. The escalation checks come first, as upstream has it: 403 goes before 422. */
export function createRbacStrategies(world: EscalationWorld): RbacStrategies {
  return {
    role: roleStrategy(world, 'roles'),
    clusterRole: roleStrategy(world, 'clusterroles'),
    roleBinding: bindingStrategy(world, 'rolebindings'),
    clusterRoleBinding: bindingStrategy(world, 'clusterrolebindings'),
  };
}

function roleStrategy(world: EscalationWorld, resource: 'roles' | 'clusterroles'): WriteStrategy {
  const namespaced = resource === 'roles';
  return {
    validateName: validatePathSegment,
    prepareForCreate(object: KubeObject, context: WriteContext): void {
      checkRoleEscalation(world, context.user, { resource, object }, '');
    },
    prepareForUpdate(object: KubeObject, old: Frozen<KubeObject>, context: WriteContext): void {
      if (changesOnlyOwnership(object, old)) return;
      checkRoleEscalation(world, context.user, { resource, object, old }, old.metadata.name ?? '');
    },
    validateCreate: (object) => validateRole(object, namespaced),
    validateUpdate: (object) => validateRole(object, namespaced),
  };
}

function bindingStrategy(world: EscalationWorld, resource: 'rolebindings' | 'clusterrolebindings'): WriteStrategy {
  const namespaced = resource === 'rolebindings';
  const check = (object: KubeObject, context: WriteContext): void =>
    checkBinding(world, context.user, {
      resource,
      name: object.metadata.name ?? '',
      namespace: object.metadata.namespace ?? '',
      roleRef: readRoleRef(object),
    });
  return {
    validateName: validatePathSegment,
    setDefaults: setBindingDefaults,
    prepareForCreate: check,
    prepareForUpdate(object, old, context): void {
      if (!changesOnlyOwnership(object, old)) check(object, context);
    },
    validateCreate: (object) => validateBinding(object, namespaced),
    validateUpdate: (object, old) => [...validateBinding(object, namespaced), ...validateRoleRefUnchanged(object, old)],
  };
}

/** Subjects and the reference name their group implicitly. */
export function setBindingDefaults(object: KubeObject): void {
  const ref = recordAt(object, 'roleRef') as Record<string, unknown> | undefined;
  if (ref !== undefined && textAt(ref, 'apiGroup') === '') ref['apiGroup'] = rbacGroup;
  for (const subject of listAt(object, 'subjects').filter(isRecord) as Record<string, unknown>[]) {
    if (textAt(subject, 'apiGroup') !== '') continue;
    const kind = textAt(subject, 'kind');
    if (kind === 'User' || kind === 'Group') subject['apiGroup'] = rbacGroup;
  }
}

function validateRoleRefUnchanged(object: Frozen<KubeObject>, old: Frozen<KubeObject>): FieldError[] {
  const now = readRoleRef(object);
  if (jsonEqual(now, readRoleRef(old))) return [];
  // Printed from Go's internal type, whose field names are upper case.
  const printed = { APIGroup: now.apiGroup, Kind: now.kind, Name: now.name };
  return [invalidField('roleRef', printed, 'cannot change roleRef')];
}

/** The garbage collector may touch owners and finalizers of roles whose rights it does not hold. */
function changesOnlyOwnership(object: KubeObject, old: Frozen<KubeObject>): boolean {
  return jsonEqual(withoutOwnership(object), withoutOwnership(old));
}

function withoutOwnership(object: object): Record<string, unknown> {
  const ignored = {
    ownerReferences: undefined,
    finalizers: undefined,
    managedFields: undefined,
    resourceVersion: undefined,
  };
  return { ...object, metadata: { ...recordAt(object, 'metadata'), ...ignored } };
}
