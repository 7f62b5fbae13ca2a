import type { Schema } from '@slipway/kube';
import { apiVersionProperty, kindProperty, metaTypes, objectMetaName } from './meta-types.js';

export type Dialect = 'v2' | 'v3';

type Json = Record<string, unknown>;

const copiedKeys = [
  'description',
  'format',
  'enum',
  'required',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'title',
  'example',
  'externalDocs',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-patch-merge-key',
] as const satisfies readonly (keyof Schema)[];

/** Keywords that a field adds to the shared type it refers to. */
const referenceKeys = [
  'x-kubernetes-patch-strategy',
  'x-kubernetes-patch-merge-key',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
] as const satisfies readonly (keyof Schema)[];

/** Writes schemas in one dialect of OpenAPI and collects the shared types that they refer to. */
export class SchemaWriter {
  readonly components = new Map<string, Json>();

  constructor(readonly dialect: Dialect) {}

  reference(name: string): Json {
    const shared = metaTypes.get(name);
    if (shared !== undefined) this.#addComponent(name, shared);
    return { $ref: `${this.dialect === 'v3' ? '#/components/schemas/' : '#/definitions/'}${name}` };
  }

  /** Returns a reference with its own description, which `kubectl explain` shows for the field. */
  describedReference(name: string, description: string): Json {
    return this.#extended(this.reference(name), { description });
  }

  /** Adds keywords to a reference. OpenAPI v3 ignores keywords beside a `$ref`. */
  #extended(reference: Json, extra: Json): Json {
    return this.dialect === 'v3' ? { allOf: [reference], ...extra } : { ...reference, ...extra };
  }

  /** Adds the schema of a whole kind under `name`. */
  addKind(name: string, schema: Schema, custom: boolean, extensions: Json): void {
    const body = custom ? this.#customRoot(schema) : this.#write({ ...schema, properties: schema.properties }, false);
    this.components.set(name, { ...body, ...extensions });
  }

  add(name: string, value: Json): void {
    this.components.set(name, value);
  }

  #addComponent(name: string, schema: Schema): void {
    if (this.components.has(name)) return;
    // Reserve the name while the body is written, because types may be recursive.
    this.components.set(name, {});
    const { default: _default, ...type } = { ...schema, properties: schema.properties };
    const body = this.#write(type, false);
    delete body['x-kubernetes-patch-strategy'];
    delete body['x-kubernetes-patch-merge-key'];
    // The description of `schema` is for one field. A scalar type such as Time is shared, and other fields need other
    // descriptions.
    if (schema.type !== 'object') delete body['description'];
    this.components.set(name, body);
  }

  #typeMeta(): Json {
    return {
      apiVersion: this.#write(apiVersionProperty, true),
      kind: this.#write(kindProperty, true),
      metadata: this.describedReference(objectMetaName, 'Standard metadata of the object.'),
    };
  }

  #customRoot(schema: Schema): Json {
    const typeMeta = this.#typeMeta();
    // Clients that validate by OpenAPI v2 must not reject unknown fields of such a kind.
    if (this.dialect === 'v2' && schema['x-kubernetes-preserve-unknown-fields'] === true) return { type: 'object' };
    const { properties, ...rest } = this.#write(schema, true) as { properties?: Json };
    return { ...rest, type: 'object', properties: { ...properties, ...typeMeta } };
  }

  #node(schema: Schema, custom: boolean): Json {
    return schema.refName === undefined ? this.#write(schema, custom) : this.#referTo(schema, schema.refName);
  }

  /** Returns a bare `$ref`, or an `allOf` that adds the keywords of the field. */
  #referTo(schema: Schema, name: string): Json {
    this.#addComponent(name, schema);
    const reference = this.reference(name);
    const extra: Json = {};
    if (schema.description !== undefined && this.components.get(name)?.['description'] !== schema.description)
      extra['description'] = schema.description;
    for (const key of referenceKeys)
      if (schema[key] !== undefined && this.components.get(name)?.[key] === undefined) extra[key] = schema[key];
    if (Object.keys(extra).length === 0) return reference;
    return this.#extended(reference, extra);
  }

  #write(schema: Schema, custom: boolean): Json {
    const result: Json = {};
    for (const key of copiedKeys) if (schema[key] !== undefined) result[key] = schema[key];
    const narrowed = custom && this.dialect === 'v2' && isInexpressible(schema);
    this.#writeType(schema, result, narrowed);
    if (narrowed) {
      delete result['required'];
      return result;
    }
    if (schema.properties !== undefined) result['properties'] = this.#writeProperties(schema.properties, custom);
    if (schema.items !== undefined) result['items'] = this.#node(schema.items, custom);
    if (typeof schema.additionalProperties === 'object')
      result['additionalProperties'] = this.#node(schema.additionalProperties, custom);
    else if (schema.additionalProperties !== undefined) result['additionalProperties'] = schema.additionalProperties;
    if (schema['x-kubernetes-embedded-resource'] === true) this.#embed(result);
    if (this.dialect === 'v3') this.#writeV3(schema, result, custom);
    return result;
  }

  #writeType(schema: Schema, result: Json, narrowed: boolean): void {
    if (schema['x-kubernetes-int-or-string'] !== true) {
      if (schema.type !== undefined && !narrowed) result['type'] = schema.type;
      return;
    }
    if (schema.format !== 'int-or-string') return;
    // This is the shared IntOrString of built-in kinds. Write it as upstream publishes it in both OpenAPI versions.
    delete result['x-kubernetes-int-or-string'];
    if (this.dialect === 'v2') result['type'] = 'string';
    else result['oneOf'] = [{ type: 'integer' }, { type: 'string' }];
  }

  /** Writes keywords that OpenAPI v2 does not support. */
  #writeV3(schema: Schema, result: Json, custom: boolean): void {
    if (schema.nullable === true) result['nullable'] = true;
    if (schema.default !== undefined) result['default'] = schema.default;
    for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
      const branches = schema[key];
      if (branches !== undefined) result[key] = branches.map((branch) => this.#node(branch, custom));
    }
    if (
      custom &&
      schema['x-kubernetes-int-or-string'] === true &&
      result['anyOf'] === undefined &&
      schema.allOf === undefined
    )
      result['anyOf'] = [{ type: 'integer' }, { type: 'string' }];
    if (schema.not !== undefined) result['not'] = this.#node(schema.not, custom);
    if (schema['x-kubernetes-validations'] !== undefined)
      result['x-kubernetes-validations'] = schema['x-kubernetes-validations'];
  }

  #writeProperties(properties: Readonly<Record<string, Schema>>, custom: boolean): Json {
    const written: Json = Object.create(null) as Json;
    for (const [name, schema] of Object.entries(properties)) written[name] = this.#node(schema, custom);
    return written;
  }

  #embed(result: Json): void {
    const own = (result['properties'] ?? {}) as Json;
    const typeMeta = this.#typeMeta();
    result['properties'] = { ...typeMeta, ...own, metadata: typeMeta['metadata'] };
    const required = (result['required'] ?? []) as string[];
    result['required'] = [...required, ...['kind', 'apiVersion'].filter((name) => !required.includes(name))];
  }
}

/** Whether OpenAPI v2 cannot express the type, because it is nullable or unspecified. If so, the type is omitted. */
function isInexpressible(schema: Schema): boolean {
  return schema.nullable === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
}
