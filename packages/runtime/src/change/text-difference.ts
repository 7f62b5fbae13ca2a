import { asJson, deepEqual, type Frozen, type JsonObject, type JsonValue, type KubeObject } from '@slipway/kube';
import { isDeleting } from './object-difference.js';

/** Fields of a condition that explain it. Its status, its reason and the time of its last transition carry its meaning. */
const explanation = ['message'];
/** In v1beta1 a summary copies the reason and the severity of a condition of a child, and a new reason counts as a transition. */
const legacyExplanation = ['message', 'reason', 'severity', 'lastTransitionTime'];

/**
 * Whether two versions of an object differ in nothing but the texts of status conditions. Such a difference changes no
 * decision of a controller or a client. Not so for an object that is being deleted: its texts list what deletion waits for.
 */
export function differsOnlyInText<T extends KubeObject>(before: Frozen<T>, after: Frozen<T>): boolean {
  if (isDeleting(before)) return false;
  const { status: was, ...restBefore } = asJson(before);
  const { status: is, ...restAfter } = asJson(after);
  if (!isObject(was) || !isObject(is) || !deepEqual(restBefore, restAfter)) return false;
  const { conditions: wasConditions, deprecated: wasDeprecated, ...otherBefore } = was;
  const { conditions: isConditions, deprecated: isDeprecated, ...otherAfter } = is;
  return (
    deepEqual(otherBefore, otherAfter) &&
    differOnlyIn(explanation, wasConditions, isConditions) &&
    deprecatedDiffersOnlyInText(wasDeprecated, isDeprecated)
  );
}

function deprecatedDiffersOnlyInText(was: JsonValue | undefined, is: JsonValue | undefined): boolean {
  if (was === is) return true;
  const [v1beta1Before, v1beta1After] = [memberOf(was, 'v1beta1'), memberOf(is, 'v1beta1')];
  if (!isObject(v1beta1Before) || !isObject(v1beta1After)) return deepEqual(was, is);
  const { conditions: wasConditions, ...otherBefore } = v1beta1Before;
  const { conditions: isConditions, ...otherAfter } = v1beta1After;
  return deepEqual(otherBefore, otherAfter) && differOnlyIn(legacyExplanation, wasConditions, isConditions);
}

function differOnlyIn(fields: readonly string[], was: JsonValue | undefined, is: JsonValue | undefined): boolean {
  if (was === is) return true;
  if (!Array.isArray(was) || !Array.isArray(is) || was.length !== is.length) return false;
  return was.every((condition, index) => deepEqual(without(condition, fields), without(is[index], fields)));
}

function without(condition: JsonValue | undefined, fields: readonly string[]): JsonValue | undefined {
  if (!isObject(condition)) return condition;
  return Object.fromEntries(Object.entries(condition).filter(([field]) => !fields.includes(field)));
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) ? value[name] : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
