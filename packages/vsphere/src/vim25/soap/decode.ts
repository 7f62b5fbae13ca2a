import { VimProtocolError } from '../errors.js';
import { derivesFrom, type Field, fieldsOf, isDataType } from '../schema/index.js';
import type { XmlElement } from './read-xml.js';

/**
 * Decodes an element by its declared type and its own `xsi:type`. Unknown elements, such as those of newer vCenters, are dropped.
 * A type that is not in the table is decoded as the declared type and keeps its name.
 */
export function decodeElement(element: XmlElement, declared: string): unknown {
  const type = element.type ?? declared;
  if (declared === 'anyType') return decodeAny(element, type);
  return decodeAs(element, declared, type);
}

/** Decodes all elements of one field: a list for a repeated field. */
export function decodeField(field: Field, elements: readonly XmlElement[]): unknown {
  if (field.list) return elements.map((element) => decodeElement(element, field.type));
  const [first] = elements;
  return first === undefined ? undefined : decodeElement(first, field.type);
}

function decodeAs(element: XmlElement, declared: string, actual: string): unknown {
  if (isDataType(declared)) {
    const type = isDataType(actual) && derivesFrom(actual, declared) ? actual : declared;
    return decodeData(element, type, actual);
  }
  if (declared === 'ManagedObjectReference') return decodeReference(element);
  return decodeScalar(element, declared);
}

function decodeData(element: XmlElement, type: string, name: string): Readonly<Record<string, unknown>> {
  const found = new Map<string, XmlElement[]>();
  for (const child of element.children) {
    const same = found.get(child.name);
    if (same === undefined) found.set(child.name, [child]);
    else same.push(child);
  }
  const value: Record<string, unknown> = { _type: name };
  for (const field of fieldsOf(type)) {
    const elements = found.get(field.name);
    if (elements !== undefined) value[field.name] = decodeField(field, elements);
    else if (field.required) throw new VimProtocolError(`the response has a ${name} without ${field.name}`);
  }
  return value;
}

function decodeReference(element: XmlElement): unknown {
  if (element.kind === undefined || element.text === '') {
    throw new VimProtocolError(`the response has a reference ${element.name} without type or value`);
  }
  return { type: element.kind, value: element.text };
}

const arrayPrefix = 'ArrayOf';
const scalarTypes: Readonly<Record<string, string>> = {
  string: 'string',
  String: 'string',
  int: 'int',
  Int: 'int',
  short: 'int',
  Short: 'int',
  byte: 'int',
  Byte: 'int',
  long: 'long',
  Long: 'long',
  boolean: 'boolean',
  Boolean: 'boolean',
};

function decodeAny(element: XmlElement, type: string): unknown {
  if (type.startsWith(arrayPrefix)) {
    const itemType = type.slice(arrayPrefix.length);
    return element.children.map((child) => decodeAny(child, child.type ?? itemType));
  }
  const scalar = Object.hasOwn(scalarTypes, type) ? scalarTypes[type] : undefined;
  if (scalar !== undefined) return decodeScalar(element, scalar);
  if (type === 'ManagedObjectReference') return decodeReference(element);
  if (isDataType(type)) return decodeData(element, type, type);
  // Enumerations and dates are strings. Of an unknown object only the type name is kept.
  return element.children.length === 0 ? element.text : { _type: type };
}

function decodeScalar({ name, text }: XmlElement, type: string): unknown {
  switch (type) {
    case 'int':
      if (/^-?\d{1,15}$/.test(text)) return Number(text);
      break;
    case 'long':
      if (/^-?\d{1,20}$/.test(text)) return BigInt(text);
      break;
    case 'boolean':
      if (text === 'true' || text === '1') return true;
      if (text === 'false' || text === '0') return false;
      break;
    default:
      return text;
  }
  throw new VimProtocolError(`invalid ${type} in ${name} of the response`);
}
