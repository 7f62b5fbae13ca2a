import { type Codec, isObject } from '@slipway/cluster-api';
import type { MutableJson } from '@slipway/kube';

/** A number that the old form cannot leave unset: its clients write 0, or nothing, for both. */
export const plainNumber: Codec = {
  up: (value, { restoring }) => (value === 0 && restoring ? undefined : value),
  down: (value) => value,
};

/** A Secret of the same namespace: a full reference in the old form, its name in the new one. */
export const secretRef: Codec = {
  up: (value) => (isObject(value) && value['name'] !== undefined ? { name: value['name'] } : undefined),
  down: (value, { namespace }) =>
    isObject(value)
      ? { apiVersion: 'v1', kind: 'Secret', ...value, ...(namespace !== undefined && { namespace }) }
      : value,
};

/** Words that one form writes in another case. Unknown ones go on as they are, for validation to refuse. */
export function words(old: readonly string[], current: readonly string[]): Codec {
  const translate = (from: readonly string[], to: readonly string[]) => (value: MutableJson) =>
    typeof value === 'string' ? (to[from.indexOf(value)] ?? value) : value;
  return { up: translate(old, current), down: translate(current, old) };
}
