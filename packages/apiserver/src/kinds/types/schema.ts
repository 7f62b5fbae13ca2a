import type { Schema } from '@slipway/kube';
import { describeField, describeMessage } from './descriptions.js';
import { isScalar, type MessageField, messageType } from './messages.js';
import { schemaPropsMessage, type SpecialForm, specialForm } from './special.js';

const nodes = new Map<string, Schema>();

/**
 * Returns the structural schema of a built-in type. Nodes are shared, and their properties are built on first access, because
 * types are recursive and most are never needed.
 */
export function schemaOf(message: string): Schema {
  const cached = nodes.get(message);
  if (cached !== undefined) return cached;
  const form = specialForm(message);
  const node = form === undefined ? objectSchema(message) : specialSchema(message, form);
  nodes.set(message, node);
  return node;
}

/** Returns the published name: `io.k8s.api.core.v1.PodSpec` for `k8s.io.api.core.v1.PodSpec`. */
function refNameOf(message: string): string {
  return message
    .replace(/^k8s\.io\./, 'io.k8s.')
    .replace('_apiserver', '-apiserver')
    .replace('_aggregator', '-aggregator');
}

function objectSchema(message: string): Schema {
  const type = messageType(message);
  let properties: Record<string, Schema> | undefined;
  const required = requiredOf(message);
  const description = describeMessage(message);
  return {
    type: 'object',
    refName: refNameOf(message),
    ...(description === undefined ? {} : { description }),
    ...(required.length > 0 ? { required } : {}),
    ...(type.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    get properties() {
      properties ??= propertiesOf(message);
      return properties;
    },
  };
}

function requiredOf(message: string): string[] {
  return messageType(message).fields.flatMap((field) => {
    if (field.inline) return requiredOf(field.type);
    return field.required ? [field.name] : [];
  });
}

const typeMetaProperties: Readonly<Record<string, Schema>> = {
  apiVersion: { type: 'string', description: 'The group and version of the API that defines the kind.' },
  kind: { type: 'string', description: 'Kind of the object, in CamelCase.' },
};

function propertiesOf(message: string): Record<string, Schema> {
  const type = messageType(message);
  const properties: Record<string, Schema> = Object.assign(
    Object.create(null) as Record<string, Schema>,
    type.isKind ? typeMetaProperties : undefined,
  );
  for (const field of type.fields) {
    if (field.inline) Object.assign(properties, propertiesOf(field.type));
    else properties[field.name] = fieldSchema(message, field);
  }
  return properties;
}

function fieldSchema(message: string, field: MessageField): Schema {
  const value = isScalar(field.type) ? scalarSchema(field.type) : schemaOf(field.type);
  const facts = factsOf(field, describeField(message, field.name));
  if (field.shape === 'repeated') return { type: 'array', items: value, ...facts };
  if (field.shape === 'map') return { type: 'object', additionalProperties: value, ...facts };
  return Object.keys(facts).length === 0 ? value : withFacts(value, facts);
}

function factsOf(field: MessageField, description: string | undefined): Schema {
  return {
    ...(description === undefined ? {} : { description }),
    ...(field.listType === undefined ? {} : { 'x-kubernetes-list-type': field.listType }),
    ...(field.listMapKeys === undefined ? {} : { 'x-kubernetes-list-map-keys': field.listMapKeys }),
    ...(field.atomic ? { 'x-kubernetes-map-type': 'atomic' as const } : {}),
    ...(field.patchStrategy === undefined ? {} : { 'x-kubernetes-patch-strategy': field.patchStrategy }),
    ...(field.mergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': field.mergeKey }),
    ...(field.default === undefined ? {} : { default: field.default }),
  };
}

/** Returns a copy of a node with additional keywords. It still builds its properties lazily. */
function withFacts(node: Schema, facts: Schema): Schema {
  const result = { ...facts };
  const merged = Object.defineProperties(result, {
    ...Object.getOwnPropertyDescriptors(node),
    ...Object.getOwnPropertyDescriptors(facts),
  });
  return merged;
}

function scalarSchema(type: string): Schema {
  switch (type) {
    case 'int32':
    case 'int64':
      return { type: 'integer', format: type };
    case 'bool':
      return { type: 'boolean' };
    case 'double':
      return { type: 'number', format: 'double' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    default:
      return { type: 'string' };
  }
}

function specialSchema(message: string, form: SpecialForm): Schema {
  const refName = refNameOf(message);
  switch (form) {
    case 'time':
    case 'micro-time':
      return { type: 'string', format: 'date-time', refName };
    case 'duration':
    case 'quantity':
      return { type: 'string', refName };
    case 'int-or-string':
      return { 'x-kubernetes-int-or-string': true, format: 'int-or-string', refName };
    case 'raw-object':
      return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, refName };
    case 'raw-value':
      return { 'x-kubernetes-preserve-unknown-fields': true, refName };
    case 'string-list':
      return { type: 'array', items: { type: 'string' }, refName };
    case 'schema-or-array':
    case 'schema-or-bool':
    case 'schema-or-strings':
      return looseSchemaProps(refName);
  }
}

/**
 * Returns the schema of JSONSchemaPropsOrBool or OrArray. It has no type, so that all forms are valid, but the fields of the
 * object form are known.
 */
function looseSchemaProps(refName: string): Schema {
  return {
    refName,
    get properties() {
      return schemaOf(schemaPropsMessage).properties ?? {};
    },
  };
}
