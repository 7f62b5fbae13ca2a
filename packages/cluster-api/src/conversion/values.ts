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

/**
 * Converts between a duration such as `10m0s` and seconds. Fractions of a second are truncated: the new version does not support
 * them.
 */
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

// Parses a duration. Undefined for an invalid one, which is passed through so that validation rejects it with a field path.
function nanosOf(text: string): bigint | undefined {
  try {
    return parseDuration(text);
  } catch {
    return undefined;
  }
}

/**
 * Converts a boolean that the old version cannot leave unset: its clients send false for both false and unset. So false becomes
 * unset when a saved object can restore the difference.
 */
export const plainBoolean: Codec = {
  up: (value, { restoring }) => (value === false && restoring ? undefined : value),
  down: (value) => value,
};

/**
 * Converts a reference to a provider object. The old version has an apiVersion. The new one has only the group: the contract
 * labels of the CRD determine the version.
 */
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

/** Converts a template reference, which has an apiVersion in both versions. */
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

/** Converts a Node reference: an object reference in the old version, the Node name in the new one. */
export const nodeRef: Codec = {
  up: (value) => (isObject(value) ? withoutAbsent({ name: value['name'] }) : value),
  down: (value) => (isObject(value) ? withoutAbsent({ apiVersion: 'v1', kind: 'Node', name: value['name'] }) : value),
};

/** Converts between a map in the old version and a list sorted by `key` in the new one. */
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

/** Converts command line arguments between `{v: '2'}` and `[{name: v, value: '2'}]`. */
export const args: Codec = mapToList('name', {
  wrap: (value) => ({ value }),
  unwrap: (item) => item['value'] ?? '',
});

/** Converts failure domains between a map in the old version and a list in the new one. */
export const failureDomainList: Codec = mapToList('name', {
  wrap: (value) => (isObject(value) ? value : {}),
  unwrap: ({ name: _name, ...rest }) => rest,
});

function withoutAbsent(fields: MutableJsonObject): MutableJsonObject {
  const present: MutableJsonObject = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) present[key] = value;
  return present;
}
