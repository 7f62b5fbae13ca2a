import { deepEqual, type JsonValue } from '../../json/index.js';
import type { Schema } from '../schema.js';
import { isPruned } from './check-defaults.js';
import { checkInvariants } from './check-invariants.js';
import { everyChild, isReadable, mapListKeyProblems, nonAtomicKeyword } from './check-keywords.js';
import { allRequirements, type SchemaRequirements } from './check-structural.js';
import type { CustomResourceDefinition } from './custom-resource-definition.js';
import { foreign, isSet, itemsOf } from './foreign-schema.js';

/** Returns the requirements for an update. A requirement that the stored CRD already violates is not enforced. */
export function requirementsFor(old: CustomResourceDefinition | undefined): SchemaRequirements {
  if (old === undefined) return allRequirements;
  const schemas = old.spec.versions.flatMap((version) => version.schema?.openAPIV3Schema ?? []);
  // Defaults of a non-structural schema cannot be pruned, so they are not validated.
  const structural = schemas.filter((schema) => isReadable(schema) && checkInvariants(schema, '').length === 0);
  return {
    prunedDefaults: everyNode(structural, (node) => !isSet(node.default) || defaultIsPruned(node)),
    validTypes: everyNode(schemas, (node) => node.type === undefined || knownTypes.has(node.type)),
    atomicSets: everyNode(schemas, (node) => nonAtomicKeyword(node, itemsOf(foreign(node))) === undefined),
    mapListKeys: everyNode(schemas, (node) => mapListKeyProblems(node, '').length === 0),
  };
}

const knownTypes: ReadonlySet<string> = new Set(['', 'array', 'boolean', 'integer', 'number', 'object', 'string']);

function defaultIsPruned(node: Schema): boolean {
  return node.default === undefined || isPruned(node, node.default);
}

export function everyNode(roots: readonly Schema[], holds: (node: Schema) => boolean): boolean {
  const pending = [...roots];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!holds(node)) return false;
    pending.push(...everyChild(node));
  }
  return true;
}

/** Returns whether two schemas or subresources are equal as JSON. */
export function sameJson(left: object | undefined, right: object | undefined): boolean {
  return deepEqual(asJson(left), asJson(right));
}

function asJson(value: object | undefined): JsonValue | undefined {
  return value as JsonValue | undefined;
}
