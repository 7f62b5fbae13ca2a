import type { JsonValue } from '@slipway/kube';

/**
 * Returns whether `actual` contains all values of `desired`. Additional members of objects in `actual` are ignored: they are
 * defaults or were added by other clients.
 */
export function covers(actual: JsonValue | undefined, desired: JsonValue): boolean {
  if (actual === desired) return true;
  if (typeof desired !== 'object' || desired === null || typeof actual !== 'object' || actual === null) return false;
  if (Array.isArray(desired) || Array.isArray(actual)) {
    if (!Array.isArray(desired) || !Array.isArray(actual) || desired.length !== actual.length) return false;
    return desired.every((item, index) => covers(actual[index], item));
  }
  const members = actual as Readonly<Record<string, JsonValue>>;
  return Object.entries(desired).every(
    ([key, value]) => value === undefined || (Object.hasOwn(members, key) && covers(members[key], value)),
  );
}
