import type { CelType, Signature } from '../types/index.js';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  firstParameter,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  parseSignature,
  secondParameter,
  stringType,
  timestampType,
  typeType,
  uintType,
} from '../types/index.js';
import type { Value } from '../values/index.js';
import { CelList, CelMap, Duration, Failure, Opaque, Optional, Timestamp, TypeValue, Uint } from '../values/index.js';

export type Implementation = (...args: readonly Value[]) => Value;

/** `[overload id, signature, implementation]`. The id selects the cost rule, as in cel-go. */
export type OverloadLine = readonly [string, string, Implementation];

export interface Overload {
  readonly id: string;
  readonly signature: Signature;
  readonly implementation: Implementation;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** Whether the function is an operator. Operators report only `no such overload`, functions also report the argument types. */
  readonly isOperator: boolean;
}

export type Library = Readonly<Record<string, readonly OverloadLine[]>>;

/** Functions by name. Signatures are parsed on first use, not at start-up. */
export class FunctionTable {
  private readonly lines = new Map<string, { lines: OverloadLine[]; isOperator: boolean }>();
  private readonly declared = new Map<string, FunctionDeclaration>();

  add(library: Library, isOperator = false): this {
    for (const [name, lines] of Object.entries(library)) {
      const known = this.lines.get(name);
      if (known === undefined) this.lines.set(name, { lines: [...lines], isOperator });
      else known.lines.push(...lines);
    }
    return this;
  }

  find(name: string): FunctionDeclaration | undefined {
    const ready = this.declared.get(name);
    if (ready !== undefined) return ready;
    const found = this.lines.get(name);
    if (found === undefined) return undefined;
    const overloads = found.lines.map(([id, text, implementation]) => ({
      id,
      signature: parseSignature(text),
      implementation,
    }));
    const declaration = { name, overloads, isOperator: found.isOperator };
    this.declared.set(name, declaration);
    return declaration;
  }
}

/** Returns whether a value matches the argument type. Like cel-go, checks only the first element of lists and maps. */
function accepts(type: CelType, value: Value): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'parameter':
      return true;
    case 'list':
      return value instanceof CelList && (value.size === 0 || accepts(firstParameter(type), value.at(0)));
    case 'map':
      return value instanceof CelMap && acceptsEntry(type, value);
    case 'opaque':
    case 'struct':
      if (type.name === 'optional_type') return value instanceof Optional;
      return value instanceof Opaque && value.type.name === type.name;
    default:
      return runtimeType(value).kind === type.kind;
  }
}

function acceptsEntry(type: CelType, map: CelMap): boolean {
  for (const key of map.keys())
    return accepts(firstParameter(type), key) && accepts(secondParameter(type), map.find(key) ?? null);
  return true;
}

const anyList = listType(dynType);
const anyMap = mapType(dynType, dynType);
const anyOptional = optionalType(dynType);

export function runtimeType(value: Value): CelType {
  switch (typeof value) {
    case 'string':
      return stringType;
    case 'bigint':
      return intType;
    case 'number':
      return doubleType;
    case 'boolean':
      return boolType;
    default:
      return value === null ? nullType : objectType(value);
  }
}

function objectType(value: Exclude<Value, null | boolean | bigint | number | string>): CelType {
  if (value instanceof CelList) return anyList;
  if (value instanceof CelMap) return anyMap;
  if (value instanceof Uint) return uintType;
  if (value instanceof Uint8Array) return bytesType;
  if (value instanceof Duration) return durationType;
  if (value instanceof Timestamp) return timestampType;
  if (value instanceof Optional) return anyOptional;
  if (value instanceof TypeValue) return typeType;
  return value instanceof Opaque ? value.type : dynType;
}

/** Calls the first matching overload. The arguments contain no Failure. */
export function dispatch(
  declaration: FunctionDeclaration,
  candidates: readonly Overload[],
  args: readonly Value[],
): Value {
  for (const candidate of candidates) {
    const parameters = candidate.signature.args;
    if (parameters.length === args.length && parameters.every((type, index) => accepts(type, args[index] ?? null))) {
      return candidate.implementation(...args);
    }
  }
  if (declaration.isOperator) return operatorFailure(declaration.name, args[0] ?? null);
  const shown = args.map((arg) => runtimeType(arg).name).join(', ');
  return new Failure(`no such overload: ${declaration.name}(${shown})`);
}

const ORDERED = 'bool bytes double duration int string timestamp uint';
/** The types that support an operator. For operands of other types, the error message contains the operator. */
const OPERAND_KINDS: ReadonlyMap<string, string> = new Map([
  ['_<_', ORDERED],
  ['_<=_', ORDERED],
  ['_>_', ORDERED],
  ['_>=_', ORDERED],
  ['_+_', 'bytes double duration int list string timestamp uint'],
  ['_-_', 'double duration int timestamp uint'],
  ['_*_', 'double int uint'],
  ['_/_', 'double int uint'],
  ['_%_', 'int uint'],
  ['-_', 'bool double duration int'],
  ['size', 'bytes list map string'],
]);

function operatorFailure(name: string, operand: Value): Failure {
  if (Number.isNaN(operand) && OPERAND_KINDS.get(name) === ORDERED) return new Failure('NaN values cannot be ordered');
  const kinds = OPERAND_KINDS.get(name)?.split(' ');
  const isKnown = kinds === undefined || kinds.includes(runtimeType(operand).kind);
  return new Failure(isKnown ? 'no such overload' : `no such overload: ${name}`);
}

/**
 * The three functions below assert the type of an argument. Dispatch guarantees it, so that a failure is a bug in a function
 * table.
 */
export function asText(value: Value | undefined): string {
  if (typeof value !== 'string') throw new TypeError('expected a string');
  return value;
}

export function asInt(value: Value | undefined): bigint {
  if (typeof value !== 'bigint') throw new TypeError('expected an int');
  return value;
}

export function asList(value: Value | undefined): CelList {
  if (!(value instanceof CelList)) throw new TypeError('expected a list');
  return value;
}
