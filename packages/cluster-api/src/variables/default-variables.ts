import {
  applyDefaults,
  cloneJson,
  type JsonValue,
  type MutableJson,
  type MutableJsonObject,
  setKey,
} from '@slipway/kube';
import { objectSchemaOf } from './variable-schema.js';
import { definitionOf, type VariableStatus } from './variable-definition.js';

export interface VariableValue {
  name: string;
  value: JsonValue;
}

/** Sets defaults inside values, and adds unset variables that have a default. */
export function defaultVariables(
  values: readonly VariableValue[],
  definitions: readonly VariableStatus[],
): VariableValue[] {
  const given = new Set(values.map(({ name }) => name));
  const added = definitions
    .filter(({ name }) => !given.has(name))
    .flatMap((variable) => {
      const value = defaultOf(variable, undefined);
      return value === undefined ? [] : [{ name: variable.name, value }];
    });
  return [...defaultOverrides(values, definitions), ...added];
}

/** Sets defaults inside overrides. Variables that are not overridden stay unset. */
export function defaultOverrides(
  values: readonly VariableValue[],
  definitions: readonly VariableStatus[],
): VariableValue[] {
  const byName = new Map(definitions.map((variable) => [variable.name, variable]));
  return values.map((entry) => {
    const variable = byName.get(entry.name);
    return variable === undefined ? entry : { ...entry, value: defaultOf(variable, entry.value) ?? entry.value };
  });
}

function defaultOf(variable: VariableStatus, value: JsonValue | undefined): JsonValue | undefined {
  const definition = definitionOf(variable);
  if (definition === undefined) return value;
  const holder: MutableJsonObject = {};
  if (value !== undefined) setKey<MutableJson | undefined>(holder, variable.name, cloneJson(value) as MutableJson);
  applyDefaults(objectSchemaOf(variable.name, definition.schema), holder);
  return Object.hasOwn(holder, variable.name) ? holder[variable.name] : undefined;
}
