import { setKey } from '../json/set-key.js';
import type { JsonObject, JsonValue, MutableJson, MutableJsonObject } from '../json/value.js';
import { identityOf, isObject } from './element-order.js';
import { goTypeOf } from '../text/go-format.js';
import { PatchError, shownValue } from './patch-error.js';

export const patchDirective = '$patch';

export function unknownDirective(directive: MutableJson | undefined, patch: JsonObject): PatchError {
  return new PatchError('unexpected', `unknown patch type: ${shownValue(directive)} in map: ${shownValue(patch)}`);
}

export function requireIdentity(element: MutableJson, mergeKey: string): string {
  const identity = identityOf(element, mergeKey);
  if (identity !== undefined) return identity;
  if (mergeKey !== '' && !isObject(element)) throw wrongType('map[string]interface {}', element);
  throw missingMergeKey(element, mergeKey);
}

export function missingMergeKey(element: JsonValue, mergeKey: string): PatchError {
  return new PatchError('unexpected', `map: ${shownValue(element)} does not contain declared merge key: ${mergeKey}`);
}

/** Removes directives from a value. Returns undefined for an object that is a directive itself. */
export function removeDirectives(value: MutableJson): MutableJson | undefined {
  if (Array.isArray(value)) return value.map(removeDirectives).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, patchDirective)) return undefined;
  const members = value as MutableJsonObject;
  for (const key of Object.keys(members)) {
    const clean = removeDirectives(members[key] ?? null);
    if (clean === undefined) delete members[key];
    else setKey(members, key, clean);
  }
  return members;
}

export function wrongType(expected: string, actual: JsonValue | undefined): PatchError {
  // Reproduces upstream's message, which formats the type of nil with %s.
  const received = actual === null || actual === undefined ? '%!s(<nil>)' : goTypeOf(actual);
  return new PatchError('unexpected', `expected a ${expected}, but received a ${received}`);
}
