import type { CustomResourceDefinition, CustomResourceDefinitionCondition, Frozen, KubeObject } from '@slipway/kube';

export type ConversionWebhook = NonNullable<NonNullable<CustomResourceDefinition['spec']['conversion']>['webhook']>;

export const crdStorageResource = 'apiextensions.k8s.io/customresourcedefinitions';

/** A stored CRD. Frozen like all stored objects, which its type does not express. */
export function crdOf(object: Frozen<KubeObject>): CustomResourceDefinition {
  return object as unknown as CustomResourceDefinition;
}

export function isConditionTrue(crd: CustomResourceDefinition, type: string): boolean {
  return crd.status?.conditions?.some((one) => one.type === type && one.status === 'True') === true;
}

/** Sets a condition. Its lastTransitionTime changes only if its status does. */
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
