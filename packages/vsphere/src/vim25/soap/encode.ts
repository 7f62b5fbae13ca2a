import { derivesFrom, type Field, fieldsOf, isDataType, type ObjectRef } from '../schema/index.js';

/**
 * Encodes elements in table order, with `xsi:type` where the value's type differs from the declared one or the declared type
 * is anyType. Unknown and missing fields throw before anything is sent.
 */
export function encodeFields(
  fields: readonly Field[],
  values: Readonly<Record<string, unknown>>,
  owner: string,
): string {
  const known = new Set(fields.map(({ name }) => name));
  for (const [name, value] of Object.entries(values)) {
    if (!known.has(name) && name !== '_type' && value !== undefined) throw new Error(`${owner} has no field ${name}`);
  }
  return fields.map((field) => encodeField(field, values[field.name], owner)).join('');
}

function encodeField(field: Field, value: unknown, owner: string): string {
  const where = `${owner}.${field.name}`;
  if (value === undefined || value === null) {
    if (field.required) throw new Error(`${where} is required`);
    return '';
  }
  if (!field.list) return encodeElement(field.name, field.type, value, where);
  if (!Array.isArray(value)) throw new Error(`${where} must be a list`);
  return value.map((item: unknown) => encodeElement(field.name, field.type, item, where)).join('');
}

function encodeElement(name: string, type: string, value: unknown, where: string): string {
  if (type === 'anyType') return encodeAny(name, value, where);
  if (type === 'ManagedObjectReference') return encodeReference(name, value as ObjectRef, '');
  if (!isDataType(type)) return `<${name}>${encodeScalar(value, where)}</${name}>`;
  return encodeData(name, type, value as Readonly<Record<string, unknown>>);
}

function encodeData(name: string, declared: string, value: Readonly<Record<string, unknown>>): string {
  const actual = (value['_type'] as string | undefined) ?? declared;
  if (declared !== 'anyType' && !derivesFrom(actual, declared)) throw new Error(`${actual} is not a ${declared}`);
  const attribute = actual === declared ? '' : ` xsi:type="${actual}"`;
  return `<${name}${attribute}>${encodeFields(fieldsOf(actual), value, actual)}</${name}>`;
}

function encodeReference(name: string, { type, value }: ObjectRef, attribute: string): string {
  return `<${name}${attribute} type="${escape(type, name)}">${escape(value, name)}</${name}>`;
}

const schemaTypes: Readonly<Record<string, string>> = {
  string: 'xsd:string',
  boolean: 'xsd:boolean',
  number: 'xsd:int',
  bigint: 'xsd:long',
};

function encodeAny(name: string, value: unknown, where: string): string {
  const scalar = schemaTypes[typeof value];
  if (scalar !== undefined) return `<${name} xsi:type="${scalar}">${encodeScalar(value, where)}</${name}>`;
  const typed = value as Readonly<Record<string, unknown>>;
  if (typeof typed['_type'] === 'string') return encodeData(name, 'anyType', typed);
  return encodeReference(name, value as ObjectRef, ' xsi:type="ManagedObjectReference"');
}

function encodeScalar(value: unknown, where: string): string {
  switch (typeof value) {
    case 'string':
      return escape(value, where);
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'number':
      if (Number.isSafeInteger(value)) return String(value);
      throw new Error(`${where} must be a whole number`);
    default:
      throw new Error(`${where} must be a scalar`);
  }
}

const unwritable = /[^\t\n\r\u0020-\ufffd]/;
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xD;',
};

/** Escapes text for XML. The error does not contain the text, which may be a password or bootstrap data. */
export function escape(text: string, where: string): string {
  if (unwritable.test(text)) throw new Error(`${where} contains a control character, which XML does not allow`);
  return text.replace(/[&<>"\r]/g, (character) => escapes[character] ?? character);
}
