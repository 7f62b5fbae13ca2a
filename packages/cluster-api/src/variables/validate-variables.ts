import {
  checkRules,
  checkStructural,
  evaluateRules,
  type FieldError,
  findUnknownFields,
  invalidField,
  type JsonValue,
  type MutableJson,
  requiredField,
  validate,
} from '@slipway/kube';
import type { VariableValue } from './default-variables.js';
import { validateSchemaParts } from './schema-parts.js';
import { definitionOf, type VariableStatus } from './variable-definition.js';
import { objectSchemaOf, type VariableSchema } from './variable-schema.js';

const rules = { evaluate: evaluateRules };

/** Validates the schema of a variable. */
export function validateVariableSchema(path: string, name: string, schema: VariableSchema): FieldError[] {
  const field = `${path}.schema.openAPIV3Schema`;
  const errors = validateSchemaParts(field, schema.openAPIV3Schema);
  if (errors.length > 0) return errors;
  return checkStructural(objectSchemaOf(name, schema), { path: field, checkRules, rules });
}

/** Validates the variables of a topology against the definitions of its class. */
export function validateVariables(
  path: string,
  values: readonly VariableValue[],
  definitions: readonly VariableStatus[],
  old: readonly VariableValue[] = [],
): FieldError[] {
  const given = new Set(values.map(({ name }) => name));
  const missing = definitions
    .filter((variable) => definitionOf(variable)?.required === true && !given.has(variable.name))
    .map(({ name }) => requiredField(path, `required variable "${name}" must be set`));
  return [...missing, ...validateOverrides(path, values, definitions, old)];
}

/** Validates variable overrides, which need not set every required variable. */
export function validateOverrides(
  path: string,
  values: readonly VariableValue[],
  definitions: readonly VariableStatus[],
  old: readonly VariableValue[] = [],
): FieldError[] {
  const byName = new Map(definitions.map((variable) => [variable.name, variable]));
  const former = new Map(old.map(({ name, value }) => [name, value]));
  return values.flatMap((entry, index) =>
    validateValue(`${path}[${index}]`, entry, byName.get(entry.name), former.get(entry.name)),
  );
}

function validateValue(
  path: string,
  { name, value }: VariableValue,
  variable: VariableStatus | undefined,
  old: JsonValue | undefined,
): FieldError[] {
  if (variable === undefined)
    return [invalidField(`${path}.name`, name, 'variable is not defined in the ClusterClass')];
  const definition = definitionOf(variable);
  if (definition === undefined) {
    return [invalidField(`${path}.name`, name, 'variable has conflicting definitions in the ClusterClass')];
  }
  const schema = objectSchemaOf(name, definition.schema);
  const holder = { [name]: value };
  const unknown = findUnknownFields(schema, holder as Record<string, MutableJson>).map((field) =>
    invalidField(`${path}.value`, field, 'field is not specified in the variable schema'),
  );
  const errors = validate(schema, holder, { rules, old: old === undefined ? undefined : { [name]: old } });
  return [
    ...unknown,
    ...errors.map((error) => ({ ...error, field: `${path}.value${error.field.slice(name.length)}` })),
  ];
}
