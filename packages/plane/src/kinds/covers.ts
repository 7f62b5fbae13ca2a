import type { JsonValue } from '@slipway/kube';

/** Whether `actual` says all that `wanted` says. It may say more: defaults, and what others added to objects. */
export function covers(actual: JsonValue | undefined, wanted: JsonValue): boolean {
  if (actual === wanted) return true;
  if (typeof wanted !== 'object' || wanted === null || typeof actual !== 'object' || actual === null) return false;
  if (Array.isArray(wanted) || Array.isArray(actual)) {
    if (!Array.isArray(wanted) || !Array.isArray(actual) || wanted.length !== actual.length) return false;
    return wanted.every((item, index) => covers(actual[index], item));
  }
  const members = actual as Readonly<Record<string, JsonValue>>;
  return Object.entries(wanted).every(
    ([key, value]) => value === undefined || (Object.hasOwn(members, key) && covers(members[key], value)),
  );
}
