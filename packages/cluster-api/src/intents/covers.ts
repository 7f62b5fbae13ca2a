import type { JsonValue } from '@slipway/kube';

/**
 * Whether an object says all that an intent says. It may say more: what the server filled in and what others added. Items of
 * lists are looked for wherever they stand, as lists that several writers share have no order of ours.
 */
export function coversIntent(actual: JsonValue | undefined, wanted: JsonValue | undefined): boolean {
  if (actual === wanted || wanted === undefined) return true;
  if (typeof wanted !== 'object' || wanted === null || typeof actual !== 'object' || actual === null) return false;
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual)) return false;
    const items = actual as readonly JsonValue[];
    return (wanted as readonly JsonValue[]).every((item) => items.some((candidate) => coversIntent(candidate, item)));
  }
  if (Array.isArray(actual)) return false;
  const members = actual as Readonly<Record<string, JsonValue>>;
  return Object.entries(wanted).every(([key, value]) =>
    saysNothing(value) ? true : Object.hasOwn(members, key) && coversIntent(members[key], value),
  );
}

/** No labels at all are the same as an empty map of them. */
function saysNothing(value: JsonValue | undefined): boolean {
  if (value === undefined) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
