import { authorizationTypes } from './authorization-types.js';
import { clusterTypes } from './cluster-types.js';
import { inventoryTypes } from './inventory-types.js';
import { machineTypes } from './machine-types.js';
import type { MethodName, methods } from './methods.js';
import { storagePolicyTypes } from './storage-policy-types.js';

/**
 * Table of vim25 types, from which requests are encoded, responses are decoded and TypeScript types are derived. A field is the
 * name of its type, followed by `!` if required or `[]` if repeated. Fields are in wire order: vCenter rejects any other order,
 * but its simulator does not check it.
 */
export const dataTypes = {
  ...inventoryTypes,
  ...machineTypes,
  ...clusterTypes,
  ...storagePolicyTypes,
  ...authorizationTypes,
} as const;

type Table = typeof dataTypes;
export type DataTypeName = keyof Table;

/** A reference to a managed object, `VirtualMachine` and `vm-42`. */
export interface ObjectRef {
  readonly type: string;
  readonly value: string;
}

interface ScalarTypes {
  readonly string: string;
  readonly boolean: boolean;
  readonly int: number;
  /** A 64-bit integer: sizes in bytes would lose precision as numbers. */
  readonly long: bigint;
  readonly ManagedObjectReference: ObjectRef;
  readonly anyType: unknown;
}

type Named<Name> = Name extends keyof ScalarTypes ? ScalarTypes[Name] : Name extends DataTypeName ? Data<Name> : never;

/** TypeScript type of a field, from its notation in the table. */
type FieldValue<Field> = Field extends `${infer Name}[]`
  ? readonly Named<Name>[]
  : Field extends `${infer Name}!`
    ? Named<Name>
    : Named<Field>;

type RequiredKey<Fields> = { [Key in keyof Fields]: Fields[Key] extends `${string}!` ? Key : never }[keyof Fields];

type FieldValues<Fields> = { readonly [Key in RequiredKey<Fields>]: FieldValue<Fields[Key]> } & {
  readonly [Key in Exclude<keyof Fields, RequiredKey<Fields>>]?: FieldValue<Fields[Key]>;
};

type BaseOf<Name extends DataTypeName> = Table[Name] extends { readonly base: infer Base extends DataTypeName }
  ? Data<Base>
  : unknown;

/** A value of one of the table's types. `_type` names the concrete type if it differs from the declared one. */
export type Data<Name extends DataTypeName> = BaseOf<Name> &
  FieldValues<Table[Name]['fields']> & { readonly _type?: string };

export type MethodParameters<Name extends MethodName> = FieldValues<(typeof methods)[Name]['parameters']>;
export type MethodResult<Name extends MethodName> = (typeof methods)[Name] extends { readonly returns: infer Returned }
  ? Returned extends `${string}!` | `${string}[]`
    ? FieldValue<Returned>
    : FieldValue<Returned> | undefined
  : undefined;

/** Returns a value with the name of its type, for fields whose declared type differs. */
export function make<Name extends DataTypeName>(type: Name, fields: Omit<Data<Name>, '_type'>): Data<Name> {
  return { ...fields, _type: type } as unknown as Data<Name>;
}

interface TypeEntry {
  readonly base?: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly list: boolean;
  readonly required: boolean;
}

const entries = new Map<string, TypeEntry>(Object.entries(dataTypes));
const resolved = new Map<string, readonly Field[]>();

export function isDataType(name: string): boolean {
  return entries.has(name);
}

/** Returns the fields of a type in wire order, those of its base type first. */
export function fieldsOf(type: string): readonly Field[] {
  const cached = resolved.get(type);
  if (cached !== undefined) return cached;
  const entry = entries.get(type);
  if (entry === undefined) throw new Error(`unknown vim25 type ${type}`);
  const fields = [...(entry.base === undefined ? [] : fieldsOf(entry.base)), ...parseFields(entry.fields)];
  resolved.set(type, fields);
  return fields;
}

export function parseFields(fields: Readonly<Record<string, string>>): readonly Field[] {
  return Object.entries(fields).map(([name, text]) => parseField(name, text));
}

export function parseField(name: string, text: string): Field {
  const list = text.endsWith('[]');
  const required = text.endsWith('!');
  return { name, type: list ? text.slice(0, -2) : required ? text.slice(0, -1) : text, list, required };
}

/** Returns whether a decoded value is of that type or of a type derived from it. */
export function isA<Name extends DataTypeName>(value: unknown, type: Name): value is Data<Name> {
  if (typeof value !== 'object' || value === null) return false;
  let current: string | undefined = (value as { _type?: string })._type;
  while (current !== undefined) {
    if (current === type) return true;
    current = entries.get(current)?.base;
  }
  return false;
}

/** Returns whether `type` is `base` or is derived from it. */
export function derivesFrom(type: string, base: string): boolean {
  for (let current: string | undefined = type; current !== undefined; current = entries.get(current)?.base) {
    if (current === base) return true;
  }
  return false;
}
