import type { CheckedExpression, ResolvedCall } from '../checker/index.js';
import type { Call, Comprehension, Expression, ListLiteral, MapLiteral, Select } from '../syntax/index.js';
import { ACCUMULATOR, isBinding } from '../syntax/index.js';
import type { CelType } from '../types/index.js';
import { dynType, isOptionalType } from '../types/index.js';
import { codePointCount } from '../values/index.js';
import { type EstimatedNode, estimateCall } from './call-estimate.js';
import { fixed, type Interval, plus, times, UNBOUNDED, union, unknownSize } from './interval.js';
import { LIST_COST, MAP_COST, STRUCT_COST } from './runtime-cost.js';

/** Returns the size limit of the data at a path according to the schema, or undefined if there is none. */
export type SizeLookup = (path: readonly string[]) => number | undefined;

/** Estimates the minimum and maximum cost of an expression at compile time. */
export function estimateCost(checked: CheckedExpression, sizeAt: SizeLookup = () => undefined): Interval {
  return new Estimator(checked, sizeAt).cost(checked.root);
}

interface Entries {
  readonly kind: 'list' | 'map';
  readonly key: Interval;
  readonly value: Interval;
}

interface Local {
  readonly path: readonly string[];
  readonly size: Interval | undefined;
  readonly entries: Entries | undefined;
}

const SCALARS: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

class Estimator {
  private readonly paths = new Map<number, readonly string[]>();
  private readonly sizes = new Map<number, Interval>();
  private readonly entrySizes = new Map<number, Entries>();
  private readonly locals = new Map<string, Local[]>();

  constructor(
    private readonly checked: CheckedExpression,
    private readonly sizeAt: SizeLookup,
  ) {}

  cost(node: Expression): Interval {
    switch (node.kind) {
      case 'literal':
        return fixed(0);
      case 'identifier':
        this.paths.set(node.id, this.local(node.name)?.path ?? [node.name]);
        return fixed(1);
      case 'select':
        return this.select(node);
      case 'call':
        return this.call(node);
      case 'list':
        return this.list(node);
      case 'map':
        return this.map(node);
      case 'struct':
        return plus(...node.entries.map((entry) => this.cost(entry.value)), fixed(STRUCT_COST));
      case 'comprehension':
        return isBinding(node) ? this.binding(node) : this.comprehension(node);
    }
  }

  private local(name: string): Local | undefined {
    return this.locals.get(name)?.at(-1);
  }

  private push(name: string, local: Local): void {
    this.locals.set(name, [...(this.locals.get(name) ?? []), local]);
  }

  private pop(name: string): void {
    this.locals.get(name)?.pop();
  }

  private typeOf(node: Expression): CelType {
    return this.checked.types.get(node.id) ?? dynType;
  }

  private pathOf(node: Expression): readonly string[] {
    const local = node.kind === 'identifier' ? this.local(node.name) : undefined;
    return local?.path ?? this.paths.get(node.id) ?? [];
  }

  private select(node: Select): Interval {
    const reference = this.checked.references.get(node.id);
    if (reference !== undefined) {
      this.paths.set(node.id, [reference.name]);
      return fixed(1);
    }
    const operand = this.cost(node.operand);
    if (node.testOnly) return operand;
    this.paths.set(node.id, [...this.pathOf(node.operand), node.field]);
    const isCounted = ['map', 'struct', 'parameter'].includes(this.typeOf(node.operand).kind);
    return isCounted ? plus(operand, fixed(1)) : operand;
  }

  private sizeOf(node: Expression): Interval | undefined {
    const known = this.sizes.get(node.id) ?? literalSize(node);
    if (known !== undefined) return known;
    const path = this.pathOf(node);
    const bound = path.length === 0 ? undefined : this.sizeAt(path);
    if (bound !== undefined) return { min: 0, max: bound };
    if (isScalar(this.typeOf(node))) return fixed(1);
    return node.kind === 'identifier' ? this.local(node.name)?.size : undefined;
  }

  private entriesOf(node: Expression): Entries | undefined {
    const known = this.entrySizes.get(node.id);
    if (known !== undefined || node.kind !== 'identifier') return known;
    return this.local(node.name)?.entries;
  }

  private remember(node: Expression, size: Interval | undefined, entries?: Entries): void {
    if (size !== undefined) this.sizes.set(node.id, size);
    if (entries !== undefined) this.entrySizes.set(node.id, entries);
  }

  private list(node: ListLiteral): Interval {
    const costs = node.elements.map((element) => this.cost(element));
    const value = joined(node.elements.map((element) => this.sizeOf(element) ?? unknownSize));
    this.remember(node, undefined, { kind: 'list', key: fixed(1), value });
    return plus(...costs, fixed(LIST_COST));
  }

  private map(node: MapLiteral): Interval {
    const costs = node.entries.map((entry) => plus(this.cost(entry.key), this.cost(entry.value)));
    const key = joined(node.entries.map((entry) => this.sizeOf(entry.key) ?? unknownSize));
    const value = joined(node.entries.map((entry) => this.sizeOf(entry.value) ?? unknownSize));
    this.remember(node, undefined, { kind: 'map', key, value });
    return plus(...costs, fixed(MAP_COST));
  }

  private call(node: Call): Interval {
    if (node.function === 'dyn') return this.dynamic(node);
    const argCosts = node.args.map((arg) => this.cost(arg));
    const args = node.args.map((arg) => this.estimated(arg));
    const resolved = this.checked.calls.get(node.id);
    // `a.?b` has its own rule in the checker and costs one more than its operands.
    if (resolved === undefined) return plus(...argCosts, fixed(1));
    const hasTarget = resolved.hasTarget && node.target !== undefined;
    const targetCost = hasTarget && node.target !== undefined ? this.cost(node.target) : fixed(0);
    const target = hasTarget && node.target !== undefined ? this.estimated(node.target) : undefined;
    return plus(targetCost, this.overloads(node, resolved, { target, args, argCosts }));
  }

  /** Estimates a call for every overload that is possible: with dyn arguments the overload is chosen only at run time. */
  private overloads(
    node: Call,
    resolved: ResolvedCall,
    given: { target: EstimatedNode | undefined; args: readonly EstimatedNode[]; argCosts: readonly Interval[] },
  ): Interval {
    let cost: Interval = { min: UNBOUNDED, max: 0 };
    let size: Interval | undefined;
    for (const overload of resolved.overloads) {
      const estimate =
        this.special(node, overload.id, given.argCosts) ??
        estimateCall(resolved.declaration.name, overload.id, given.target, given.args);
      const own = 'total' in estimate ? estimate.total : plus(estimate.cost, ...given.argCosts);
      cost = union(cost, own);
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : union(size, estimate.size);
      size = this.indexed(node, overload.id) ?? size ?? this.sizeOf(node);
    }
    this.remember(node, size);
    return cost;
  }

  /** Returns the size of the elements of a list, from the schema or the literal. */
  private indexed(node: Call, overload: string): Interval | undefined {
    const operand = node.args[0];
    if (operand === undefined || (overload !== 'index_list' && overload !== 'index_map')) return undefined;
    this.paths.set(node.id, [...this.pathOf(operand), overload === 'index_list' ? '@items' : '@values']);
    return this.entriesOf(operand)?.value ?? this.sizeOf(node);
  }

  /** Estimates operators that do not evaluate all operands, and operators whose result consists of their operands. */
  private special(
    node: Call,
    overload: string,
    argCosts: readonly Interval[],
  ): { total: Interval; size?: Interval } | undefined {
    if (overload === 'logical_and' || overload === 'logical_or') {
      return { total: { min: argCosts[0]?.min ?? 0, max: plus(...argCosts).max } };
    }
    const [first, second, third] = node.args;
    if (overload === 'conditional') return this.conditional(node, argCosts, second, third);
    if (overload.startsWith('add_')) this.rememberEntries(node, first, second);
    return undefined;
  }

  private conditional(
    node: Call,
    [condition = fixed(0), whenTrue = fixed(0), whenFalse = fixed(0)]: readonly Interval[],
    second: Expression | undefined,
    third: Expression | undefined,
  ): { total: Interval; size?: Interval } {
    this.rememberEntries(node, second, third);
    const sizes = [second, third].map((branch) => (branch && this.sizeOf(branch)) ?? unknownSize);
    return { total: plus(condition, union(whenTrue, whenFalse)), size: joined(sizes) };
  }

  private rememberEntries(node: Call, a: Expression | undefined, b: Expression | undefined): void {
    const entries = joinEntries(a && this.entriesOf(a), b && this.entriesOf(b));
    if (entries !== undefined) this.entrySizes.set(node.id, entries);
  }

  private estimated(node: Expression): EstimatedNode {
    const path = this.pathOf(node);
    const isAccumulator = path[0] === ACCUMULATOR;
    const ownPath = isAccumulator ? [] : path;
    const type = this.typeOf(node);
    const literal = node.kind === 'literal' && node.literal.type === 'int' ? node.literal.value : undefined;
    const elementBound = ownPath.length === 0 ? undefined : this.sizeAt([...ownPath, '@items']);
    const elementSize = elementBound === undefined ? unknownSize : { min: 0, max: elementBound };
    return { type, size: this.sizeOf(node) ?? unknownSize, elementSize, literal };
  }

  private dynamic(node: Call): Interval {
    const arg = node.args[0];
    if (arg === undefined) return fixed(1);
    const cost = this.cost(arg);
    this.remember(node, this.sizeOf(arg), this.entriesOf(arg));
    return plus(fixed(1), cost);
  }

  private comprehension(node: Comprehension): Interval {
    const range = this.cost(node.range);
    const initial = this.cost(node.initial);
    this.push(node.accumulator, {
      path: this.pathOf(node.initial),
      size: this.sizeOf(node.initial),
      entries: this.entriesOf(node.initial),
    });
    this.pushVariables(node);
    const condition = this.cost(node.condition);
    const step = this.cost(node.step);
    this.pop(node.variable);
    if (node.variable2 !== undefined) this.pop(node.variable2);
    const result = this.cost(node.result);
    this.pop(node.accumulator);
    const count = this.sizeOf(node.range) ?? unknownSize;
    if (node.initial.kind === 'literal') this.remember(node, this.sizeOf(node.initial));
    else if (node.initial.kind === 'list' || node.initial.kind === 'map')
      this.remember(node, count, this.entriesOf(node.step));
    return plus(range, initial, result, times(count, plus(step, condition)));
  }

  private pushVariables(node: Comprehension): void {
    const entries = this.entriesOf(node.range);
    const path = this.pathOf(node.range);
    const isList = (entries?.kind ?? this.typeOf(node.range).kind) === 'list';
    const value: Local = { path: [...path, isList ? '@items' : '@values'], size: entries?.value, entries: undefined };
    const key: Local = { path: [...path, isList ? '@indices' : '@keys'], size: entries?.key, entries: undefined };
    if (node.variable2 === undefined) {
      this.push(node.variable, isList ? value : key);
      return;
    }
    // Reproduces a bug of upstream: unless the Go slice is full, the paths of key and value share memory, and the last
    // step of the value overwrites that of the key.
    const isShared = !Number.isInteger(Math.log2(path.length));
    this.push(node.variable, isShared ? { ...key, path: value.path } : key);
    this.push(node.variable2, value);
  }

  private binding(node: Comprehension): Interval {
    const range = this.cost(node.range);
    const initial = this.cost(node.initial);
    this.push(node.accumulator, {
      path: this.pathOf(node.initial),
      size: this.sizeOf(node.initial),
      entries: this.entriesOf(node.initial),
    });
    const result = this.cost(node.result);
    const size = this.sizeOf(node.result);
    const entries = this.entriesOf(node.result);
    this.pop(node.accumulator);
    this.remember(node, size, entries);
    return plus(range, initial, result);
  }
}

function literalSize(node: Expression): Interval | undefined {
  switch (node.kind) {
    case 'literal':
      if (node.literal.type === 'string') return fixed(codePointCount(node.literal.value));
      return fixed(node.literal.type === 'bytes' ? node.literal.value.length : 1);
    case 'list':
      return fixed(node.elements.length);
    case 'map':
      return fixed(node.entries.length);
    default:
      return undefined;
  }
}

function isScalar(type: CelType): boolean {
  if (isOptionalType(type)) return isScalar(type.parameters[0] ?? dynType);
  return SCALARS.has(type.kind);
}

function joined(sizes: readonly Interval[]): Interval {
  return sizes.length === 0 ? fixed(0) : sizes.reduce(union);
}

function joinEntries(a: Entries | undefined, b: Entries | undefined): Entries | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { kind: a.kind, key: union(a.key, b.key), value: union(a.value, b.value) };
}
