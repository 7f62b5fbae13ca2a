import { cloneJson, deepEqual, type Frozen, type JsonValue } from '@slipway/kube';
import type { ClusterClass } from '../api/index.js';
import type { VariableDefinition, VariableStatus } from '../variables/index.js';

export type ClassVariable = NonNullable<ClusterClass['spec']['variables']>[number];

/** Variables and their source: `inline`, or the name of the patch whose extension declares them. */
export interface VariableSource {
  readonly from: string;
  readonly variables: readonly Frozen<ClassVariable>[];
}

/** Returns all definitions grouped by variable and sorted by name. Conflicting definitions are marked. */
export function mergeVariables(sources: readonly VariableSource[]): VariableStatus[] {
  const merged = new Map<string, VariableStatus>();
  for (const { from, variables } of sources) {
    for (const { name, ...given } of variables) {
      const definition = { from, ...cloneJson(given) } as VariableDefinition;
      const known = merged.get(name);
      const [first] = known?.definitions ?? [];
      const isConflict =
        known?.definitionsConflict === true || (first !== undefined && !isSameDefinition(first, definition));
      merged.set(name, {
        name,
        definitionsConflict: isConflict,
        definitions: [...(known?.definitions ?? []), definition],
      });
    }
  }
  return [...merged.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

export function conflictingVariables(variables: readonly VariableStatus[]): readonly string[] {
  return variables.filter(({ definitionsConflict }) => definitionsConflict === true).map(({ name }) => name);
}

function isSameDefinition(
  { from: _left, ...left }: VariableDefinition,
  { from: _right, ...right }: VariableDefinition,
): boolean {
  return deepEqual(withoutFalse(left as unknown as JsonValue), withoutFalse(right as unknown as JsonValue));
}

/** Schema keywords for which false means the same as absent. User values, such as defaults, are compared unchanged. */
const flags = new Set([
  'uniqueItems',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
]);
const literal = new Set(['default', 'example', 'enum']);

function withoutFalse(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutFalse);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => !(flags.has(key) && member === false))
      .map(([key, member]) => [key, member === undefined || literal.has(key) ? member : withoutFalse(member)]),
  );
}
