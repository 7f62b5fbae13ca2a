import type { CustomResourceDefinition, CustomResourceDefinitionCondition, Frozen, KubeObject } from '@slipway/kube';

export type ConversionWebhook = NonNullable<NonNullable<CustomResourceDefinition['spec']['conversion']>['webhook']>;

export const crdStorageResource = 'apiextensions.k8s.io/customresourcedefinitions';

/** Casts a stored object to a CRD. The result is frozen like all stored objects, although its type does not say so. */
export function crdOf(object: Frozen<KubeObject>): CustomResourceDefinition {
  return object as unknown as CustomResourceDefinition;
}

export function isConditionTrue(crd: CustomResourceDefinition, type: string): boolean {
  return crd.status?.conditions?.some((one) => one.type === type && one.status === 'True') === true;
}

/** Returns the conditions with one of them set. Its lastTransitionTime changes only if its status changes. */
export function withCondition(
  conditions: readonly CustomResourceDefinitionCondition[],
  next: CustomResourceDefinitionCondition,
  now: string,
): CustomResourceDefinitionCondition[] {
  const old = conditions.find((one) => one.type === next.type);
  const lastTransitionTime = old?.status === next.status ? (old.lastTransitionTime ?? now) : now;
  const complete: CustomResourceDefinitionCondition = { ...next, lastTransitionTime };
  if (old === undefined) return [...conditions, complete];
  return conditions.map((one) => (one.type === next.type ? complete : one));
}
