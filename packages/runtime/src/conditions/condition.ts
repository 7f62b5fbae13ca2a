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

/** A condition before it is set: the setter knows the time and the generation. */
export type NewCondition = Pick<Condition, 'type' | 'status' | 'reason'> &
  Partial<Pick<Condition, 'message' | 'lastTransitionTime'>>;

/** Whatever carries conditions, frozen or not. */
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

/** A condition that nobody reported yet is unknown. */
export function isConditionUnknown(object: Conditioned, type: string): boolean {
  return (getCondition(object, type)?.status ?? 'Unknown') === 'Unknown';
}

export function conditionReason(object: Conditioned, type: string): string {
  return getCondition(object, type)?.reason ?? '';
}

/** Everything but the time of the last transition. */
export function sameConditionState(left: Readonly<Condition>, right: Readonly<Condition>): boolean {
  return (
    left.type === right.type &&
    left.status === right.status &&
    left.observedGeneration === right.observedGeneration &&
    left.reason === right.reason &&
    left.message === right.message
  );
}
