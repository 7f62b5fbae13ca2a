import { isTime, type JsonValue } from '@slipway/kube';
import type { Condition } from '@slipway/runtime';
import { noReasonReported, type V1beta1Condition } from '../toolkit/index.js';
import { fieldAt, isObject, type ProviderObject } from './fields.js';

/** Reports invalid conditions of a provider object. */
export class InvalidConditionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidConditionError';
  }
}

const statuses: ReadonlySet<JsonValue | undefined> = new Set(['True', 'False', 'Unknown']);

/**
 * Returns the conditions of a provider object. The v1beta1 contract has them under `status.v1beta2`. If these are missing,
 * v1beta1 conditions are used, with a placeholder for a missing reason. Throws InvalidConditionError.
 */
export function providerConditions(object: ProviderObject): readonly Condition[] {
  for (const path of [
    ['status', 'v1beta2', 'conditions'],
    ['status', 'conditions'],
  ]) {
    const list = fieldAt(object, ...path);
    if (!Array.isArray(list)) continue;
    return (list as readonly JsonValue[]).flatMap((entry) => conditionOf(entry, `${object.kind} ${path.join('.')}`));
  }
  return [];
}

function conditionOf(entry: JsonValue, where: string): Condition[] {
  if (!isObject(entry)) return [];
  const { type, status, reason, message, lastTransitionTime } = entry;
  if (typeof type !== 'string' || type === '')
    throw new InvalidConditionError(`${where}: type must be set for all conditions`);
  if (!statuses.has(status))
    throw new InvalidConditionError(`${where}: status for the ${type} condition must be one of True, False, Unknown`);
  const time = typeof lastTransitionTime === 'string' && isTime(lastTransitionTime) ? lastTransitionTime : '';
  return [
    {
      type,
      status: status as Condition['status'],
      reason: typeof reason === 'string' && reason !== '' ? reason : noReasonReported,
      message: typeof message === 'string' ? message : '',
      lastTransitionTime: time,
    },
  ];
}

/** Returns the deprecated Ready condition of a provider object, from the path that its contract defines. */
export function providerReadyV1beta1(object: ProviderObject): V1beta1Condition | undefined {
  for (const path of [
    ['status', 'deprecated', 'v1beta1', 'conditions'],
    ['status', 'conditions'],
  ]) {
    const list = fieldAt(object, ...path);
    if (!Array.isArray(list)) continue;
    const found = (list as readonly JsonValue[]).find((entry) => isObject(entry) && entry['type'] === 'Ready');
    if (found !== undefined && isObject(found)) return v1beta1Of(found);
  }
  return undefined;
}

function v1beta1Of(entry: Readonly<Record<string, JsonValue | undefined>>): V1beta1Condition {
  const text = (name: string): string | undefined => {
    const value = entry[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const [reason, message, severity] = [text('reason'), text('message'), text('severity')];
  return {
    type: 'Ready',
    status: statuses.has(entry['status']) ? (entry['status'] as Condition['status']) : 'Unknown',
    lastTransitionTime: text('lastTransitionTime') ?? '',
    ...(severity && { severity: severity as NonNullable<V1beta1Condition['severity']> }),
    ...(reason && { reason }),
    ...(message && { message }),
  };
}
