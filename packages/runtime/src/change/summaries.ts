import { asJson, deepEqual, type Frozen, type JsonObject, type JsonValue, type KubeObject } from '@slipway/kube';
import { isDeleting, isObject } from './object-difference.js';

/**
 * The parts of a status that every reconcile computes again from other objects. A write that changes nothing else may be
 * postponed: a summary changes with each step of each child, and no controller depends on it.
 */
export interface Summaries {
  /** Types of conditions that may be outdated for a moment. */
  readonly conditions: readonly string[];
  /** Types of conditions whose message may be outdated for a moment, but not their status and reason. */
  readonly messages: readonly string[];
  /** Status fields that may be outdated for a moment. */
  readonly fields?: readonly string[];
}

/** The fields of a v1beta1 summary that follow a condition of a child: a new reason also counts as a transition there. */
const legacyTexts = ['message', 'reason', 'severity', 'lastTransitionTime'];
const texts = ['message'];

/**
 * Whether two versions of an object differ in nothing but summaries. Never for an object that is being deleted, whose conditions
 * list what the deletion waits for.
 */
export function differsOnlyInSummaries<T extends KubeObject>(
  before: Frozen<T>,
  after: Frozen<T>,
  summaries: Summaries,
): boolean {
  if (isDeleting(before)) return false;
  const { status: was, ...restBefore } = asJson(before);
  const { status: is, ...restAfter } = asJson(after);
  if (!isObject(was) || !isObject(is) || !deepEqual(restBefore, restAfter)) return false;
  return deepEqual(withoutSummaries(was, summaries), withoutSummaries(is, summaries));
}

function withoutSummaries(status: JsonObject, summaries: Summaries): JsonObject {
  const { conditions, deprecated, ...others } = status;
  const v1beta1 = isObject(deprecated) ? deprecated['v1beta1'] : undefined;
  return {
    ...Object.fromEntries(Object.entries(others).filter(([field]) => summaries.fields?.includes(field) !== true)),
    conditions: essentials(conditions, summaries, texts),
    ...(isObject(v1beta1) && {
      deprecated: {
        ...(deprecated as JsonObject),
        v1beta1: { ...v1beta1, conditions: essentials(v1beta1['conditions'], summaries, legacyTexts) },
      },
    }),
  };
}

/** The conditions without summaries, and without those texts that may be outdated. */
function essentials(list: JsonValue | undefined, summaries: Summaries, textFields: readonly string[]): JsonValue {
  if (!Array.isArray(list)) return [];
  return list
    .filter(isObject)
    .filter(({ type }) => !isOneOf(summaries.conditions, type))
    .map((condition) =>
      isOneOf(summaries.messages, condition['type'])
        ? Object.fromEntries(Object.entries(condition).filter(([field]) => !textFields.includes(field)))
        : condition,
    );
}

function isOneOf(types: readonly string[], type: JsonValue | undefined): boolean {
  return typeof type === 'string' && types.includes(type);
}
