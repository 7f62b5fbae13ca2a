export type TypeKind =
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'type'
  | 'parameter'
  | 'uint';

/** A type in the checker. Compare with `sameType`, not by identity. */
export interface CelType {
  readonly kind: TypeKind;
  readonly name: string;
  readonly parameters: readonly CelType[];
  /** Fields of a struct. Undefined for structs without selectable fields, such as Quantity. */
  readonly fields?: ReadonlyMap<string, CelType>;
  /** Set on structs whose fields are not known at compile time: every name is a field of type dyn. */
  readonly open?: boolean;
}

function simple(kind: TypeKind, name: string = kind): CelType {
  return { kind, name, parameters: [] };
}

export const boolType = simple('bool');
export const bytesType = simple('bytes');
export const doubleType = simple('double');
export const durationType = simple('duration', 'google.protobuf.Duration');
export const dynType = simple('dyn');
export const errorType = simple('error', '!error!');
export const intType = simple('int');
export const nullType = simple('null', 'null_type');
export const stringType = simple('string');
export const timestampType = simple('timestamp', 'google.protobuf.Timestamp');
export const typeType = simple('type');
export const uintType = simple('uint');

export function listType(element: CelType): CelType {
  return { kind: 'list', name: 'list', parameters: [element] };
}

export function mapType(key: CelType, value: CelType): CelType {
  return { kind: 'map', name: 'map', parameters: [key, value] };
}

export function optionalType(value: CelType): CelType {
  return opaqueType('optional_type', [value]);
}

export function opaqueType(name: string, parameters: readonly CelType[] = []): CelType {
  return { kind: 'opaque', name, parameters };
}

export function structType(name: string, fields?: ReadonlyMap<string, CelType>): CelType {
  return { kind: 'struct', name, parameters: [], fields };
}

export function typeOfType(inner: CelType): CelType {
  return { kind: 'type', name: 'type', parameters: [inner] };
}

export function parameterType(name: string): CelType {
  return simple('parameter', name);
}

export function isOptionalType(type: CelType): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type';
}

/** Returns the type inside an optional, or undefined for other types. */
export function unwrapOptional(type: CelType): CelType | undefined {
  return isOptionalType(type) ? (type.parameters[0] ?? dynType) : undefined;
}

export function firstParameter(type: CelType): CelType {
  return type.parameters[0] ?? dynType;
}

export function secondParameter(type: CelType): CelType {
  return type.parameters[1] ?? dynType;
}

export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
  return a.parameters.every((parameter, index) => sameType(parameter, b.parameters[index] ?? errorType));
}

const SHOWN: Partial<Record<TypeKind, string>> = { duration: 'duration', timestamp: 'timestamp', null: 'null' };

/** Formats a type as in messages: `map(string, list(int))`. */
export function formatType(type: CelType): string {
  const shown = SHOWN[type.kind];
  if (shown !== undefined) return shown;
  if (type.parameters.length === 0) return type.name;
  return `${type.name}(${type.parameters.map(formatType).join(', ')})`;
}

/** Formats a type with the full names of durations and timestamps, which upstream uses in some messages. */
export function typeString(type: CelType): string {
  if (type.parameters.length === 0) return type.name;
  return `${type.name}(${type.parameters.map(typeString).join(', ')})`;
}

export function formatSignature(args: readonly CelType[], isMember: boolean): string {
  const shown = args.map(formatType);
  if (!isMember) return `(${shown.join(', ')})`;
  return `${shown[0] ?? ''}.(${shown.slice(1).join(', ')})`;
}
