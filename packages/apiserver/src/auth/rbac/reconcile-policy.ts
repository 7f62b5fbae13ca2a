import {
  deepEqual,
  type Frozen,
  isFields,
  isReason,
  type KubeObject,
  listAt,
  type ObjectMeta,
  recordAt,
} from '@slipway/kube';
import { readRoleRef, readSubject } from './binding.js';
import type { BootstrapPolicy } from './bootstrap-policy.js';
import { uncoveredRules } from './covers.js';
import { rulesOf } from './policy-rule.js';

export type RbacResource = 'clusterroles' | 'clusterrolebindings' | 'roles' | 'rolebindings';

/** Reads and writes bootstrap policy through the registry, as the server's own user. */
export interface PolicyWriter {
  get(resource: RbacResource, namespace: string, name: string): Frozen<KubeObject> | undefined;
  create(resource: RbacResource, object: KubeObject): Promise<void>;
  update(resource: RbacResource, object: KubeObject): Promise<void>;
  delete(resource: RbacResource, namespace: string, name: string): Promise<void>;
}

export interface PolicyChange {
  readonly verb: 'create' | 'update' | 'replace';
  readonly object: KubeObject;
}

const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate';

/**
 * Returns the change that a bootstrap object needs, or undefined. Keeps permissions and subjects that users added, and labels and
 * annotations that they changed. Objects with `autoupdate: "false"` are not changed.
 */
export function planPolicyChange(
  expected: KubeObject,
  existing: Frozen<KubeObject> | undefined,
): PolicyChange | undefined {
  if (existing === undefined) return { verb: 'create', object: expected };
  if (existing.metadata.annotations?.[autoUpdate] === 'false') return undefined;
  const isBinding = recordAt(expected, 'roleRef') !== undefined;
  if (isBinding && !deepEqual(readRoleRef(existing), readRoleRef(expected)))
    return { verb: 'replace', object: expected };
  const object: KubeObject = { ...(existing as KubeObject), metadata: mergedMetadata(existing, expected) };
  if (isBinding) addSubjects(object, expected);
  else addRules(object, expected);
  return deepEqual(object, existing) ? undefined : { verb: 'update', object };
}

function mergedMetadata(existing: Frozen<KubeObject>, expected: KubeObject): ObjectMeta {
  return {
    ...(existing.metadata as ObjectMeta),
    labels: { ...expected.metadata.labels, ...existing.metadata.labels },
    annotations: { ...expected.metadata.annotations, ...existing.metadata.annotations },
  };
}

function addRules(object: KubeObject, expected: KubeObject): void {
  const missing = uncoveredRules(rulesOf(object), rulesOf(expected));
  if (missing.length > 0) object['rules'] = [...listAt(object, 'rules'), ...missing];
  const desired = listAt(recordAt(expected, 'aggregationRule'), 'clusterRoleSelectors');
  const present = listAt(recordAt(object, 'aggregationRule'), 'clusterRoleSelectors');
  if (desired.length === 0) {
    delete object['aggregationRule'];
    return;
  }
  const absent = desired.filter((selector) => !present.some((other) => deepEqual(other, selector)));
  if (absent.length > 0) object['aggregationRule'] = { clusterRoleSelectors: [...present, ...absent] };
}

function addSubjects(object: KubeObject, expected: KubeObject): void {
  const present = listAt(object, 'subjects').filter(isFields).map(readSubject);
  const missing = listAt(expected, 'subjects').filter(
    (subject) => !present.some((other) => deepEqual(other, readSubject(subject))),
  );
  if (missing.length > 0) object['subjects'] = [...listAt(object, 'subjects'), ...missing];
}

/** Reconciles roles and bindings with the bootstrap policy of this version. Returns the number of written objects. */
export async function reconcilePolicy(policy: BootstrapPolicy, writer: PolicyWriter): Promise<number> {
  const work: [RbacResource, readonly KubeObject[]][] = [
    ['clusterroles', policy.clusterRoles],
    ['clusterrolebindings', policy.clusterRoleBindings],
    ['roles', policy.roles],
    ['rolebindings', policy.roleBindings],
  ];
  let written = 0;
  for (const [resource, objects] of work) {
    // Write in parallel, because the store commits concurrent writes in one batch.
    const outcomes = await Promise.all(objects.map((object) => reconcileObject(resource, object, writer)));
    written += outcomes.filter(Boolean).length;
  }
  return written;
}

const attemptsMax = 3;

/** Reconciles one object. After a conflict, computes the change again from the current object. */
async function reconcileObject(resource: RbacResource, expected: KubeObject, writer: PolicyWriter): Promise<boolean> {
  const { namespace = '', name = '' } = expected.metadata;
  for (let attempt = 1; ; attempt += 1) {
    const change = planPolicyChange(expected, writer.get(resource, namespace, name));
    if (change === undefined) return false;
    try {
      await applyChange(resource, change, writer);
      return true;
    } catch (error) {
      const raced = isReason(error, 'Conflict') || isReason(error, 'AlreadyExists') || isReason(error, 'NotFound');
      if (!raced || attempt >= attemptsMax) throw error;
    }
  }
}

async function applyChange(resource: RbacResource, change: PolicyChange, writer: PolicyWriter): Promise<void> {
  const { namespace = '', name = '' } = change.object.metadata;
  if (change.verb === 'update') return writer.update(resource, change.object);
  if (change.verb === 'replace') await writer.delete(resource, namespace, name);
  return writer.create(resource, change.object);
}
