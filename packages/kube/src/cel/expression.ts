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
  /** The variables of the expression. The type of a `dyn` variable is checked at run time. */
  readonly variables: Readonly<Record<string, CelType | 'dyn'>>;
  /** The allowed result types. Any type is allowed if absent. */
  readonly returnType?: CelType | readonly CelType[];
  /** Adds `Object{}`, `JSONPatch{}` and `jsonpatch.escapeKey` for mutating policies. */
  readonly patchTypes?: boolean;
}

/** The default cost limit of all expressions of one policy binding together. */
const EXPRESSION_BUDGET = 10_000_000;

/** Why an expression is invalid. `message` is upstream's message. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

export type ExpressionResult =
  | { readonly ok: true; readonly value: Value; readonly cost: number }
  | {
      readonly ok: false;
      readonly error: string;
      readonly cost: number;
      /**
       * Whether the budget or the cost limit of an expression is exceeded. If so, no other expression with the same
       * budget may be evaluated.
       */
      readonly outOfBudget: boolean;
    };

/** Values of the variables: JSON, a value of this package, or a function that computes the value on first use. */
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

  /** Evaluates the expression with the rest of the caller's budget, but at most with the cost limit of one expression. */
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

/** Compiles, or throws an ExpressionError. Equal expressions with equal variables are compiled once. */
export function compileExpression(text: string, options: ExpressionOptions): Expression {
  const key = cacheKey(text, options);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const expression = compile(text, options);
  if (cache.size >= CACHE_MAX) cache.delete(cache.keys().next().value ?? '');
  cache.set(key, expression);
  return expression;
}

/**
 * Returns the cache key. Type names identify the environment: in this package types with the same name are equal, except the
 * types of `variables`.
 */
function cacheKey(text: string, options: ExpressionOptions): string {
  const variables = Object.entries(options.variables).map(
    ([name, type]) => `${name}:${type === 'dyn' ? type : describe(type)}`,
  );
  const returnTypes = [options.returnType ?? []].flat().map(typeString);
  return JSON.stringify([text, variables.sort(), returnTypes, options.patchTypes === true]);
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
  const returnTypes: readonly CelType[] = [options.returnType ?? []].flat();
  if (returnTypes.length > 0 && !returnTypes.some((type) => sameType(type, program.resultType))) {
    const got = typeString(program.resultType);
    const names = returnTypes.map(typeString);
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

/** A map whose values are computed on first use: the `variables` of a policy. */
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

/** Converts a result to JSON: a patch, a message or an audit annotation. Undefined for values without a JSON form. */
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
    // Define the property instead of assigning it, so that the key __proto__ becomes an ordinary property.
    Object.defineProperty(object, key, { value: json, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

/**
 * Returns the path at which an object has the type of another field, as in `Object.spec{x: Object.status{}}`. Undefined if all
 * types match.
 */
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
