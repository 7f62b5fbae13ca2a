export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** metav1.Condition: the v1beta2 style of Cluster API. */
export interface Condition {
  type: string;
  status: ConditionStatus;
  observedGeneration?: number;
  lastTransitionTime: string;
  reason: string;
  message: string;
}

/** A condition without lastTransitionTime and observedGeneration, which `setCondition` adds. */
export type NewCondition = Pick<Condition, 'type' | 'status' | 'reason'> &
  Partial<Pick<Condition, 'message' | 'lastTransitionTime'>>;

/** An object with conditions, frozen or not. */
export interface Conditioned {
  readonly kind?: string;
  readonly metadata: {
    readonly name?: string;
    readonly generation?: number;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly status?: { readonly conditions?: readonly Readonly<Condition>[] };
}

export function getCondition(object: Conditioned, type: string): Readonly<Condition> | undefined {
  return object.status?.conditions?.find((condition) => condition.type === type);
}

export function hasCondition(object: Conditioned, type: string): boolean {
  return getCondition(object, type) !== undefined;
}

export function isConditionTrue(object: Conditioned, type: string): boolean {
  return getCondition(object, type)?.status === 'True';
}

export function isConditionFalse(object: Conditioned, type: string): boolean {
  return getCondition(object, type)?.status === 'False';
}

export function conditionReason(object: Conditioned, type: string): string {
  return getCondition(object, type)?.reason ?? '';
}
