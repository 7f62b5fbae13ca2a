import type { JsonObject, JsonValue } from '../json/index.js';
import { formatDuration } from '../text/duration.js';
import { resolvePatchType } from './admission-types.js';
import type { Environment } from './checker/index.js';
import { baseFunctions, mutationFunctions } from './library/index.js';
import {
  type Binding,
  CALL_COST_MAX,
  compileProgram,
  type Program,
  ProgramError,
  StructValue,
} from './program/index.js';
import type { CelType } from './types/index.js';
import { dynType, sameType, typeString } from './types/index.js';
import type { Value } from './values/index.js';
import {
  CelList,
  CelMap,
  Duration,
  Failure,
  formatTimestamp,
  fromJson,
  Optional,
  Timestamp,
  Uint,
} from './values/index.js';

export interface ExpressionOptions {
  /** What the expression may name; `dyn` leaves the type to be found out when it runs. */
  readonly variables: Readonly<Record<string, CelType | 'dyn'>>;
  /** Absent: any. Several: one of them. */
  readonly returnType?: CelType | readonly CelType[];
  /** Adds `Object{}`, `JSONPatch{}` and `jsonpatch.escapeKey` for mutating policies. */
  readonly patchTypes?: boolean;
}

/** What the expressions of one policy binding may cost together, unless the caller says otherwise. */
const EXPRESSION_BUDGET = 10_000_000;

/** Why an expression cannot be used. `message` has upstream's words. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

export type ExpressionResult =
  | { readonly ok: true; readonly value: Value; readonly cost: number }
  | {
      readonly ok: false;
      readonly error: string;
      readonly cost: number;
      /** The budget, or the limit of one expression, is used up: nothing that shares it may run any more. */
      readonly outOfBudget: boolean;
    };

/** Values for the variables: JSON, a value made by this package, or a function for one that may not be needed. */
export type ExpressionBindings = Readonly<Record<string, BoundValue | (() => BoundValue) | undefined>>;
type BoundValue = JsonValue | Value;

export class Expression {
  constructor(private readonly program: Program) {}

  get resultType(): CelType {
    return this.program.resultType;
  }

  uses(variable: string): boolean {
    return this.program.usesVariable(variable);
  }

  /** Runs with what is left of the caller's budget, and never for more than one expression may cost. */
  evaluate(bindings: ExpressionBindings, budget: number = EXPRESSION_BUDGET): ExpressionResult {
    const bound = new Map<string, Binding>();
    for (const [name, value] of Object.entries(bindings)) {
      if (value !== undefined) bound.set(name, typeof value === 'function' ? () => toValue(value()) : toValue(value));
    }
    const { value, cost, stopped } = this.program.run(bound, CALL_COST_MAX);
    if (cost > budget)
      return {
        ok: false,
        error: 'validation failed due to running out of cost budget, no further validation rules will be run',
        cost,
        outOfBudget: true,
      };
    if (value instanceof Failure) return { ok: false, error: value.message, cost, outOfBudget: stopped };
    return { ok: true, value, cost };
  }
}

const CACHE_MAX = 1_000;
const cache = new Map<string, Expression>();

/** Compiles, or throws an ExpressionError. Equal expressions over equal variables are compiled once. */
export function compileExpression(text: string, options: ExpressionOptions): Expression {
  const key = cacheKey(text, options);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const expression = compile(text, options);
  if (cache.size >= CACHE_MAX) cache.delete(cache.keys().next().value ?? '');
  cache.set(key, expression);
  return expression;
}

/** Types of one name have one shape in this package, so names tell environments apart; `variables` types do not. */
function cacheKey(text: string, options: ExpressionOptions): string {
  const variables = Object.entries(options.variables).map(
    ([name, type]) => `${name}:${type === 'dyn' ? type : describe(type)}`,
  );
  const wanted = [options.returnType ?? []].flat().map(typeString);
  return JSON.stringify([text, variables.sort(), wanted, options.patchTypes === true]);
}

function describe(type: CelType): string {
  const fields = [...(type.fields ?? [])].map(([name, field]) => `${name}:${describe(field)}`);
  return `${typeString(type)}{${fields.join(',')}}`;
}

function compile(text: string, options: ExpressionOptions): Expression {
  const program = tryCompile(text, {
    functions: options.patchTypes === true ? mutationFunctions : baseFunctions,
    variables: new Map(
      Object.entries(options.variables).map(([name, type]) => [name, type === 'dyn' ? dynType : type]),
    ),
    ...(options.patchTypes === true ? { resolveType: resolvePatchType } : {}),
  });
  const wanted: readonly CelType[] = [options.returnType ?? []].flat();
  if (wanted.length > 0 && !wanted.some((type) => sameType(type, program.resultType))) {
    const got = typeString(program.resultType);
    const names = wanted.map(typeString);
    const expected = names.length === 1 ? names[0] : `one of [${names.join(' ')}]`;
    throw new ExpressionError(`must evaluate to ${expected} but got ${got}`);
  }
  return new Expression(program);
}

function tryCompile(text: string, env: Environment): Program {
  try {
    return compileProgram(text, env);
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    const stage = error.stage === 'compilation' ? 'compilation failed' : 'program instantiation failed';
    throw new ExpressionError(`${stage}: ${error.message}`);
  }
}

const isValueClass = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && prototype !== Object.prototype && !Array.isArray(value);
};

function toValue(value: BoundValue): Value {
  if (typeof value === 'object' && value !== null && isValueClass(value)) return value as Value;
  return fromJson(value as JsonValue);
}

/** A map whose values are computed when they are asked for: the `variables` of a policy. */
export class LazyMap extends CelMap {
  private readonly known = new Map<string, Value>();

  constructor(private readonly entries: ReadonlyMap<string, () => Value>) {
    super();
  }

  get size(): number {
    return this.entries.size;
  }

  find(key: Value): Value | undefined {
    const compute = typeof key === 'string' ? this.entries.get(key) : undefined;
    if (typeof key !== 'string' || compute === undefined) return undefined;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const value = compute();
    this.known.set(key, value);
    return value;
  }

  keys(): Iterable<Value> {
    return this.entries.keys();
  }
}

/** The JSON of a result: what a policy patches, a message, an audit annotation. Undefined for values without JSON. */
export function toJson(value: Value): JsonValue | undefined {
  if (value instanceof StructValue) return toObject([...value.fields]);
  if (value instanceof CelList) return toArray(value);
  if (value instanceof CelMap) return toObject([...value.keys()].map((key) => [key, value.find(key) ?? null] as const));
  if (value instanceof Uint) return normalInteger(value.value);
  if (value instanceof Duration) return formatDuration(value.nanoseconds);
  if (value instanceof Timestamp) return formatTimestamp(value.nanoseconds);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Optional) return value.value === undefined ? null : toJson(value.value);
  if (typeof value === 'bigint') return normalInteger(value);
  return typeof value === 'object' && value !== null ? undefined : value;
}

function normalInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function toArray(list: CelList): JsonValue | undefined {
  const items: JsonValue[] = [];
  for (const item of list) {
    const json = toJson(item);
    if (json === undefined) return undefined;
    items.push(json);
  }
  return items;
}

function toObject(entries: readonly (readonly [Value, Value])[]): JsonObject | undefined {
  const object: Record<string, JsonValue> = {};
  for (const [key, value] of entries) {
    const json = toJson(value);
    if (typeof key !== 'string' || json === undefined) return undefined;
    // Not an assignment: a key called __proto__ must become a property like any other.
    Object.defineProperty(object, key, { value: json, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

/** Where a built object uses the type of another place: `Object.spec{x: Object.status{}}`. Undefined when it is in order. */
export function patchTypeProblem(value: Value, path = 'Object'): string | undefined {
  const problems: string[] = [];
  collectTypeProblems(value, path, problems);
  return problems.length === 0 ? undefined : problems.join('\n');
}

function collectTypeProblems(value: Value, path: string, problems: string[]): void {
  if (value instanceof StructValue) {
    if (value.type.name !== path) {
      problems.push(
        `unexpected type name "${value.type.name}", expected "${path}", which matches field name path from root Object type`,
      );
    }
    for (const [name, field] of value.fields) collectTypeProblems(field, `${path}.${name}`, problems);
  }
  if (value instanceof CelList) for (const item of value) collectTypeProblems(item, path, problems);
  if (value instanceof CelMap)
    for (const key of value.keys()) collectTypeProblems(value.find(key) ?? null, path, problems);
}
