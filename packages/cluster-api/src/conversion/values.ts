import {
  formatDuration,
  type MutableJson,
  type MutableJsonObject,
  parseApiVersion,
  parseDuration,
  setKey,
} from '@slipway/kube';
import type { Codec } from './codec.js';
import { isObject } from './json-object.js';

const nanosPerSecond = 1_000_000_000n;

/** `10m0s` and 600. Fractions of a second are truncated: the new version does not support them. */
export const durationSeconds: Codec = {
  up: (value) => {
    if (typeof value !== 'string') return value;
    const nanos = nanosOf(value);
    return nanos === undefined ? value : Number(nanos / nanosPerSecond);
  },
  down: (value) => {
    const whole = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
    return whole ? formatDuration(BigInt(value) * nanosPerSecond) : value;
  },
};

// An invalid duration is passed through, for validation to reject with a field path.
function nanosOf(text: string): bigint | undefined {
  try {
    return parseDuration(text);
  } catch {
    return undefined;
  }
}

/**
 * A boolean that the old version cannot leave unset: its clients send false, or nothing, for both. So false keeps a saved value
 * that is false or unset.
 */
export const plainBoolean: Codec = {
  up: (value, { restoring }) => (value === false && restoring ? undefined : value),
  down: (value) => value,
};

/** A provider object reference: with a version in the old version; with a group, and a version by contract, in the new one. */
export const contractRef: Codec = {
  up: (value) => {
    if (!isObject(value)) return value;
    const { apiVersion, kind, name } = value;
    const apiGroup = typeof apiVersion === 'string' ? parseApiVersion(apiVersion).group : undefined;
    return withoutAbsent({ apiGroup, kind, name });
  },
  down: (value, context) => {
    if (!isObject(value)) return value;
    const { apiGroup, kind, name } = value;
    const known = typeof apiGroup === 'string' && typeof kind === 'string';
    const apiVersion = known ? context.apiVersionOf(apiGroup, kind) : undefined;
    return withoutAbsent({ apiVersion, kind, name, namespace: context.namespace });
  },
};

/** A template reference, which has an apiVersion in both versions. */
export const templateRef: Codec = {
  up: (value) => {
    if (!isObject(value)) return value;
    const { apiVersion, kind, name } = value;
    return withoutAbsent({ apiVersion, kind, name });
  },
  down: (value, context) => {
    if (!isObject(value)) return value;
    const { apiVersion, kind, name } = value;
    return withoutAbsent({ apiVersion, kind, name, namespace: context.namespace });
  },
};

/** A Node: an object reference in the old version, its name in the new one. */
export const nodeRef: Codec = {
  up: (value) => (isObject(value) ? withoutAbsent({ name: value['name'] }) : value),
  down: (value) => (isObject(value) ? withoutAbsent({ apiVersion: 'v1', kind: 'Node', name: value['name'] }) : value),
};

/** A map in the old version; in the new one a list sorted by the key field. */
function mapToList(
  keyField: string,
  entry: { wrap(value: MutableJson): MutableJsonObject; unwrap(item: MutableJsonObject): MutableJson },
): Codec {
  return {
    up: (value) => {
      if (!isObject(value)) return value;
      const keys = Object.keys(value).sort();
      return keys.map((key) => ({ [keyField]: key, ...entry.wrap(value[key] ?? null) }));
    },
    down: (value) => {
      if (!Array.isArray(value)) return value;
      const map: MutableJsonObject = {};
      for (const item of value) {
        const key = isObject(item) ? item[keyField] : undefined;
        if (isObject(item) && typeof key === 'string') setKey(map, key, entry.unwrap(item));
      }
      return map;
    },
  };
}

/** Command line arguments: `{v: '2'}` and `[{name: v, value: '2'}]`. */
export const args: Codec = mapToList('name', {
  wrap: (value) => ({ value }),
  unwrap: (item) => item['value'] ?? '',
});

/** Failure domains: a map in the old version, a list in the new one. */
export const failureDomainList: Codec = mapToList('name', {
  wrap: (value) => (isObject(value) ? value : {}),
  unwrap: ({ name: _name, ...rest }) => rest,
});

function withoutAbsent(fields: MutableJsonObject): MutableJsonObject {
  const present: MutableJsonObject = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) present[key] = value;
  return present;
}
