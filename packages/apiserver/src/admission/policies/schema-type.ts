import {
  celBool,
  celDouble,
  celDyn,
  celInt,
  celList,
  celMap,
  celString,
  celStruct,
  type CelType,
  escapePropertyName,
  type Schema,
} from '@slipway/kube';

/**
 * Returns the CEL type of an object. Incomplete schemas become dyn: a missing warning is better than a warning about a valid
 * expression.
 */
export function objectTypeOf(schema: Schema, name: string): CelType {
  return typeOf(schema, name, new Set());
}

function typeOf(schema: Schema, name: string, above: ReadonlySet<Schema>): CelType {
  // Schemas of built-in kinds may be recursive.
  if (above.has(schema) || isOpen(schema)) return celDyn;
  const inside = new Set(above).add(schema);
  switch (schema.type) {
    case 'array':
      return schema.items === undefined ? celDyn : celList(typeOf(schema.items, `${name}.@idx`, inside));
    case 'object':
      return objectType(schema, name, inside);
    case 'string':
      return (schema.format ?? '') === '' ? celString : celDyn;
    case 'boolean':
      return celBool;
    case 'integer':
      return celInt;
    case 'number':
      return celDouble;
    default:
      return celDyn;
  }
}

function isOpen(schema: Schema): boolean {
  return (
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    schema['x-kubernetes-embedded-resource'] === true ||
    schema.refName?.endsWith('.resource.Quantity') === true
  );
}

function objectType(schema: Schema, name: string, inside: ReadonlySet<Schema>): CelType {
  if (typeof schema.additionalProperties === 'object')
    return celMap(celString, typeOf(schema.additionalProperties, `${name}.@elem`, inside));
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0 || schema.additionalProperties === true) return celDyn;
  const fields = new Map<string, CelType>();
  for (const [field, property] of properties) {
    const escaped = escapePropertyName(field);
    if (escaped !== undefined) fields.set(escaped, typeOf(property, `${name}.${field}`, inside));
  }
  return celStruct(name, fields);
}
