import type { JsonValue } from '@slipway/kube';

/**
 * Returns whether an object contains all fields of an intent. Other fields, such as defaults and those of other managers, are
 * ignored. List items are matched in any order, because several writers share lists.
 */
export function coversIntent(actual: JsonValue | undefined, desired: JsonValue | undefined): boolean {
  if (actual === desired || desired === undefined) return true;
  if (typeof desired !== 'object' || desired === null || typeof actual !== 'object' || actual === null) return false;
  if (Array.isArray(desired)) {
    if (!Array.isArray(actual)) return false;
    const items = actual as readonly JsonValue[];
    return (desired as readonly JsonValue[]).every((item) => items.some((candidate) => coversIntent(candidate, item)));
  }
  if (Array.isArray(actual)) return false;
  const members = actual as Readonly<Record<string, JsonValue>>;
  return Object.entries(desired).every(([key, value]) =>
    isEmptyValue(value) ? true : Object.hasOwn(members, key) && coversIntent(members[key], value),
  );
}

/** Whether a value is absent or empty: absent labels equal an empty map. */
function isEmptyValue(value: JsonValue | undefined): boolean {
  if (value === undefined) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
