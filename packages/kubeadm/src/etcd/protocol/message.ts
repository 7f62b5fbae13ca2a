import { readWire, type WireField, WireError, WireWriter } from './wire.js';

/** Encodes and decodes the values of one field. */
interface FieldKind<T> {
  readonly initial: T;
  write(writer: WireWriter, field: number, value: T): void;
  read(found: WireField, before: T): T;
}

export interface FieldSpec<T> {
  readonly field: number;
  readonly kind: FieldKind<T>;
}

/**
 * Encodes and decodes one type of message. Clients encode requests and decode responses; simulated servers decode
 * requests and encode responses.
 */
export interface MessageType<T> {
  encode(value: Partial<T>): Uint8Array;
  /** Decodes a message. Absent fields get their zero value. Unknown fields are dropped. */
  decode(bytes: Uint8Array): T;
}

type AnyFields = Readonly<Record<string, FieldSpec<unknown>>>;
type ValueOf<Fields> = { readonly [Name in keyof Fields]: Fields[Name] extends FieldSpec<infer T> ? T : never };

export function message<const Fields extends AnyFields>(fields: Fields): MessageType<ValueOf<Fields>> {
  const specs = Object.entries<FieldSpec<unknown>>(fields);
  const byNumber = new Map(specs.map(([name, { field, kind }]) => [field, { name, kind }]));
  return {
    encode(value) {
      const writer = new WireWriter();
      const given = value as Readonly<Record<string, unknown>>;
      for (const [name, { field, kind }] of specs) {
        if (given[name] !== undefined) kind.write(writer, field, given[name]);
      }
      return writer.finish();
    },
    decode(bytes) {
      const value: Record<string, unknown> = {};
      for (const [name, { kind }] of specs) value[name] = kind.initial;
      for (const found of readWire(bytes)) {
        const known = byNumber.get(found.field);
        if (known !== undefined) value[known.name] = known.kind.read(found, value[known.name]);
      }
      return value as ValueOf<Fields>;
    },
  };
}

function varintOf(found: WireField): bigint {
  if (!('varint' in found)) throw new WireError(`field ${found.field} is not a number`);
  return found.varint;
}

function bytesOf(found: WireField): Uint8Array {
  if (!('bytes' in found)) throw new WireError(`field ${found.field} has no length`);
  return found.bytes;
}

/** Encodes unsigned integers. Zero is not encoded: in protobuf an absent field means zero. */
const uint64Kind: FieldKind<bigint> = {
  initial: 0n,
  write: (writer, field, value) => {
    if (value !== 0n) writer.varint(field, value);
  },
  read: varintOf,
};

const int64Kind: FieldKind<bigint> = { ...uint64Kind, read: (found) => BigInt.asIntN(64, varintOf(found)) };

const enumKind: FieldKind<number> = {
  initial: 0,
  write: (writer, field, value) => {
    if (value !== 0) writer.varint(field, BigInt(value));
  },
  read: (found) => Number(BigInt.asIntN(32, varintOf(found))),
};

const booleanKind: FieldKind<boolean> = {
  initial: false,
  write: (writer, field, value) => {
    if (value) writer.varint(field, 1n);
  },
  read: (found) => varintOf(found) !== 0n,
};

const stringKind: FieldKind<string> = {
  initial: '',
  write: (writer, field, value) => {
    if (value !== '') writer.bytes(field, Buffer.from(value, 'utf8'));
  },
  read: (found) => Buffer.from(bytesOf(found)).toString('utf8'),
};

const stringsKind: FieldKind<readonly string[]> = {
  initial: [],
  write: (writer, field, values) => {
    for (const value of values) writer.bytes(field, Buffer.from(value, 'utf8'));
  },
  read: (found, before) => [...before, stringKind.read(found, '')],
};

export const uint64 = (field: number): FieldSpec<bigint> => ({ field, kind: uint64Kind });
export const int64 = (field: number): FieldSpec<bigint> => ({ field, kind: int64Kind });
export const enumeration = (field: number): FieldSpec<number> => ({ field, kind: enumKind });
export const boolean = (field: number): FieldSpec<boolean> => ({ field, kind: booleanKind });
export const text = (field: number): FieldSpec<string> => ({ field, kind: stringKind });
export const texts = (field: number): FieldSpec<readonly string[]> => ({ field, kind: stringsKind });

/** Declares a nested message. Undefined if it was not sent. */
export function nested<T>(field: number, type: MessageType<T>): FieldSpec<T | undefined> {
  return {
    field,
    kind: {
      initial: undefined,
      write: (writer, number, value) => {
        if (value !== undefined) writer.bytes(number, type.encode(value));
      },
      read: (found) => type.decode(bytesOf(found)),
    },
  };
}

export function nestedList<T>(field: number, type: MessageType<T>): FieldSpec<readonly T[]> {
  return {
    field,
    kind: {
      initial: [],
      write: (writer, number, values) => {
        for (const value of values) writer.bytes(number, type.encode(value));
      },
      read: (found, before) => [...before, type.decode(bytesOf(found))],
    },
  };
}
