import { badRequest, type KubeObject, type MutableJson, type MutableJsonObject } from '@slipway/kube';
import { isScalar, type MessageField, messageType } from './messages.js';
import { decodeScalar, decodeSpecial, describeJson, goTypeOf, Undecodable } from './typed-values.js';
import { schemaPropsMessage, specialForm } from './special.js';

/**
 * Normalises an object of a built-in kind like upstream's typed decoder: rejects wrong types with its messages, drops nulls
 * and empty optional values, and canonicalises quantities and times. Defaulting, validation and comparison with the stored
 * object can then rely on the types. Unknown fields are kept.
 */
export function decodeTyped(message: string, object: KubeObject): void {
  try {
    decodeMessage(message, object as MutableJsonObject, '');
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error;
    const version = versionOf(object);
    throw badRequest(
      `${object.kind} in version ${JSON.stringify(version)} cannot be handled as a ${object.kind}: ${error.message}`,
    );
  }
}

/** Normalises the metadata of a custom resource. */
export function decodeMetadata(object: KubeObject): void {
  try {
    decodeMessage('k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta', object.metadata as MutableJsonObject, '');
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error;
    throw badRequest(
      `${object.kind} in version ${JSON.stringify(versionOf(object))} cannot be handled as a ${object.kind}: ${error.message}`,
    );
  }
}

function versionOf(object: KubeObject): string {
  return object.apiVersion.slice(object.apiVersion.lastIndexOf('/') + 1);
}

const jsonFields = new Map<string, ReadonlyMap<string, MessageField>>();

/** Returns the fields by JSON name, including those of inlined messages. */
export function jsonFieldsOf(message: string): ReadonlyMap<string, MessageField> {
  const cached = jsonFields.get(message);
  if (cached !== undefined) return cached;
  const fields = new Map<string, MessageField>();
  for (const field of messageType(message).fields) {
    if (!field.inline) fields.set(field.name, field);
    else for (const [name, inner] of jsonFieldsOf(field.type)) fields.set(name, inner);
  }
  jsonFields.set(message, fields);
  return fields;
}

function decodeMessage(message: string, object: MutableJsonObject, path: string): void {
  const fields = jsonFieldsOf(message);
  for (const key of Object.keys(object)) {
    const field = fields.get(key);
    if (field === undefined) continue;
    const value = object[key];
    // Parts that the object shares with the stored one are frozen and already decoded.
    if (typeof value === 'object' && value !== null && Object.isFrozen(value)) continue;
    const decoded =
      value === null || value === undefined
        ? undefined
        : decodeField(message, field, value, path === '' ? key : `${path}.${key}`);
    // Keep an empty managedFields list: it requests a reset of all managers.
    if (decoded === undefined || (isOmitted(field, decoded) && key !== 'managedFields')) delete object[key];
    else if (decoded !== value) object[key] = decoded;
  }
}

function isOmitted(field: MessageField, value: MutableJson): boolean {
  if (field.pointer || !field.omitEmpty) return false;
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === 'object') return field.shape === 'map' && Object.keys(value as MutableJsonObject).length === 0;
  return value === '' || value === 0 || value === false;
}

function decodeField(message: string, field: MessageField, value: MutableJson, path: string): MutableJson | undefined {
  const at = { struct: message, path };
  if (field.shape === 'repeated') {
    if (!Array.isArray(value)) throw new Undecodable(describeJson(value), `[]${goTypeOf(field.type)}`, at);
    for (const [index, item] of value.entries()) {
      const decoded = decodeItem(message, field, item, path);
      if (decoded !== item) value[index] = decoded;
    }
    return value;
  }
  if (field.shape === 'map') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new Undecodable(describeJson(value), `map[string]${goTypeOf(field.type)}`, at);
    }
    for (const key of Object.keys(value)) {
      const item = value[key] ?? null;
      const decoded = decodeItem(message, field, item, path);
      if (decoded !== item) value[key] = decoded;
    }
    return value;
  }
  return decodeValue(message, field.type, value, path);
}

/** Decodes an element of a list or map, where null means the zero value. */
function decodeItem(message: string, field: MessageField, item: MutableJson, path: string): MutableJson {
  if (item !== null) return decodeValue(message, field.type, item, path) ?? null;
  if (!isScalar(field.type)) return specialForm(field.type) === undefined ? {} : null;
  if (field.type === 'string' || field.type === 'bytes') return '';
  return field.type === 'bool' ? false : 0;
}

function decodeValue(message: string, type: string, value: MutableJson, path: string): MutableJson | undefined {
  const at = { struct: message, path };
  if (isScalar(type)) return decodeScalar(type, value, at);
  const form = specialForm(type);
  if (form !== undefined) {
    return decodeSpecial(form, type, value, at, (inner) => {
      decodeMessage(schemaPropsMessage, inner, path);
    });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Undecodable(describeJson(value), goTypeOf(type), at);
  }
  decodeMessage(type, value, path);
  return value;
}
