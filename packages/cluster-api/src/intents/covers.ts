import type { JsonValue } from '@slipway/kube';

/**
 * Whether an object contains all fields of an intent. It may have more: defaults and fields of other managers. List items are
 * matched in any order, because several writers share lists.
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

/** Absent labels equal an empty map. */
function saysNothing(value: JsonValue | undefined): boolean {
  if (value === undefined) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
