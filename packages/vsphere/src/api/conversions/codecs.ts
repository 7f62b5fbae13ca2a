import { type Codec, isObject } from '@slipway/cluster-api';
import type { MutableJson } from '@slipway/kube';

/** Converts a number that older versions cannot leave unset: their clients write 0 for both unset and 0. */
export const plainNumber: Codec = {
  up: (value, { restoring }) => (value === 0 && restoring ? undefined : value),
  down: (value) => value,
};

/**
 * Converts the reference to a Secret of the same namespace: older versions store a full reference, the current one stores the
 * name only.
 */
export const secretRef: Codec = {
  up: (value) => (isObject(value) && value['name'] !== undefined ? { name: value['name'] } : undefined),
  down: (value, { namespace }) =>
    isObject(value)
      ? { apiVersion: 'v1', kind: 'Secret', ...value, ...(namespace !== undefined && { namespace }) }
      : value,
};

/** Converts enum values that the versions spell in different case. Unknown values are kept, so that validation rejects them. */
export function message(old: readonly string[], current: readonly string[]): Codec {
  const translate = (from: readonly string[], to: readonly string[]) => (value: MutableJson) =>
    typeof value === 'string' ? (to[from.indexOf(value)] ?? value) : value;
  return { up: translate(old, current), down: translate(current, old) };
}
