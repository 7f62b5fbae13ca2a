import type { CheckedExpression } from '../checker/index.js';
import { LIST_COST, MAP_COST, STRUCT_COST } from '../cost/runtime-cost.js';
import type {
  Call,
  Comprehension,
  Expression,
  ListLiteral,
  MapLiteral,
  Select,
  StructLiteral,
} from '../syntax/index.js';
import { isBinding, Operator } from '../syntax/index.js';
import { dynType } from '../types/index.js';
import type { Value } from '../values/index.js';
import { ArrayList, EntryMap, Failure, noSuchOverload, Optional, TypeValue } from '../values/index.js';
import { Attribute, type Plan } from './attribute.js';
import { runComprehension } from './comprehension.js';
import type { Frame } from './frame.js';
import {
  asAttribute,
  constant,
  constantMap,
  converted,
  insertEntry,
  invoke,
  keyOf,
  literalValue,
  membership,
  notOptional,
  notStrictlyFalse,
  ofAttribute,
  orElse,
  PlanError,
  pushElement,
  requireRegex,
} from './plans.js';
import { StructValue } from './struct-value.js';

/**
 * Conversion functions. Applied to a constant they are evaluated at compile time, and a constant that cannot be converted is a
 * compile error.
 */
const CONVERSIONS: ReadonlySet<string> = new Set(
  'bool bytes double duration dyn int string timestamp type uint'.split(' '),
);

const REGEX_FUNCTIONS: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

/** Compiles a checked expression to closures. Throws a PlanError for a constant that cannot be evaluated. */
export function plan(checked: CheckedExpression): Plan {
  return new Planner(checked).plan(checked.root);
}

class Planner {
  private slots = 0;
  private readonly scope = new Map<string, number[]>();

  constructor(private readonly checked: CheckedExpression) {}

  plan(node: Expression): Plan {
    switch (node.kind) {
      case 'literal':
        return constant(literalValue(node.literal));
      case 'identifier':
        return this.name(node.id);
      case 'select':
        return this.select(node);
      case 'call':
        return this.call(node);
      case 'list':
        return this.list(node);
      case 'map':
        return this.map(node);
      case 'struct':
        return this.struct(node);
      case 'comprehension':
        return this.comprehension(node);
    }
  }

  private name(id: number): Plan {
    const reference = this.checked.references.get(id);
    const name = reference?.name ?? '';
    const slot = this.scope.get(name)?.at(-1);
    if (slot !== undefined) return ofAttribute(new Attribute((frame) => frame.read(slot), [], false));
    if (reference?.constant !== undefined) return constant(new TypeValue(reference.constant));
    const read = (frame: Frame): Value => {
      const value = frame.variable(name);
      return value === undefined ? new Failure(`no such attribute(s): ${name}`) : value;
    };
    return ofAttribute(new Attribute(read, [], false));
  }

  private select(node: Select): Plan {
    if (this.checked.references.has(node.id)) return this.name(node.id);
    const operand = asAttribute(this.plan(node.operand));
    if (node.testOnly) return { run: (frame) => operand.test(frame, node.field) };
    return ofAttribute(operand.with({ optional: false, key: () => node.field }));
  }

  private call(node: Call): Plan {
    switch (node.function) {
      case Operator.and:
        return this.logical(node, false);
      case Operator.or:
        return this.logical(node, true);
      case Operator.conditional:
        return this.conditional(node);
      case Operator.index:
        return this.index(node, false);
      case Operator.optionalIndex:
      case Operator.optionalSelect:
        return this.index(node, true);
      default:
        return this.functionCall(node);
    }
  }

  private arg(node: Call, index: number): Plan {
    const arg = node.args[index];
    if (arg === undefined) throw new PlanError(`missing argument ${index} of ${node.function}`);
    return this.plan(arg);
  }

  /**
   * Plans `&&` or `||`. The `decisive` value ends the evaluation: false for `&&`, true for `||`. An error counts only if no term
   * is decisive.
   */
  private logical(node: Call, decisive: boolean): Plan {
    const terms = node.args.map((arg) => this.plan(arg));
    return {
      run: (frame) => {
        let failure: Failure | undefined;
        for (const term of terms) {
          const value = term.run(frame);
          if (value === decisive) return decisive;
          if (typeof value !== 'boolean') failure ??= value instanceof Failure ? value : noSuchOverload();
        }
        return failure ?? !decisive;
      },
    };
  }

  private conditional(node: Call): Plan {
    const condition = this.arg(node, 0);
    const whenTrue = this.arg(node, 1);
    const whenFalse = this.arg(node, 2);
    const base = (frame: Frame): Value => {
      const chosen = condition.run(frame);
      if (typeof chosen !== 'boolean') return chosen instanceof Failure ? chosen : noSuchOverload();
      const branch = chosen ? whenTrue : whenFalse;
      return branch.attribute === undefined ? branch.run(frame) : branch.attribute.resolve(frame);
    };
    return ofAttribute(new Attribute(base, [], true));
  }

  private index(node: Call, optional: boolean): Plan {
    const operand = asAttribute(this.arg(node, 0));
    return ofAttribute(operand.with(keyOf(this.arg(node, 1), optional)));
  }

  private functionCall(node: Call): Plan {
    const resolved = this.checked.calls.get(node.id);
    if (resolved === undefined) throw new PlanError(`unresolved function ${node.function}`);
    const own = node.args.map((arg) => this.plan(arg));
    const args = resolved.hasTarget && node.target !== undefined ? [this.plan(node.target), ...own] : own;
    const { name } = resolved.declaration;
    const [first, second] = args;
    if (first === undefined) return invoke(resolved, args);
    if (name === Operator.notStrictlyFalse) return notStrictlyFalse(first);
    if (CONVERSIONS.has(name) && first.constant !== undefined && args.length === 1)
      return converted(resolved, first.constant);
    if (second === undefined) return invoke(resolved, args);
    if (name === Operator.in) return membership(resolved, first, second);
    if (name === 'or' || name === 'orValue') return orElse(first, second, name === 'orValue');
    if (REGEX_FUNCTIONS.has(name) && typeof second.constant === 'string') requireRegex(second.constant);
    return invoke(resolved, args);
  }

  private list(node: ListLiteral): Plan {
    const items = node.elements.map((element) => this.plan(element));
    const constants = items.map((item) => item.constant);
    if (node.optional.size === 0 && constants.every((value) => value !== undefined))
      return constant(new ArrayList(constants));
    return {
      run: (frame) => {
        const values: Value[] = [];
        for (const [index, item] of items.entries()) {
          const value = item.run(frame);
          if (value instanceof Failure) return value;
          const failure = pushElement(values, value, node.optional.has(index));
          if (failure !== undefined) return failure;
        }
        frame.charge(LIST_COST);
        return new ArrayList(values);
      },
    };
  }

  private map(node: MapLiteral): Plan {
    const entries = node.entries.map((entry) => ({
      key: this.plan(entry.key),
      value: this.plan(entry.value),
      optional: entry.optional,
    }));
    const isConstant = entries.every(
      (entry) => !entry.optional && entry.key.constant !== undefined && entry.value.constant !== undefined,
    );
    const build = (frame: Frame): Value => {
      const map = new EntryMap();
      for (const entry of entries) {
        const failure = insertEntry(map, entry.key.run(frame), entry.value.run(frame), entry.optional);
        if (failure !== undefined) return failure;
      }
      frame.charge(isConstant ? 0 : MAP_COST);
      return map;
    };
    return isConstant ? constantMap(entries) : { run: build };
  }

  private struct(node: StructLiteral): Plan {
    const type = this.checked.types.get(node.id) ?? dynType;
    const entries = node.entries.map((entry) => ({ ...entry, plan: this.plan(entry.value) }));
    return {
      run: (frame) => {
        const fields = new Map<string, Value>();
        for (const entry of entries) {
          const value = entry.plan.run(frame);
          if (value instanceof Failure) return value;
          if (!entry.optional) fields.set(entry.field, value);
          else if (!(value instanceof Optional)) return notOptional(value);
          else if (value.value !== undefined) fields.set(entry.field, value.value);
        }
        frame.charge(STRUCT_COST);
        return new StructValue(type, fields);
      },
    };
  }

  private within<T>(name: string, run: (slot: number) => T): T {
    const slot = this.slots++;
    const stack = this.scope.get(name) ?? [];
    stack.push(slot);
    this.scope.set(name, stack);
    const result = run(slot);
    stack.pop();
    return result;
  }

  /** Plans a bound name: its value is computed when the body first uses it. */
  private binding(node: Comprehension): Plan {
    const initial = this.plan(node.initial);
    return this.within(node.accumulator, (slot) => {
      const result = this.plan(node.result);
      return {
        run: (frame) => {
          frame.defer(slot, initial);
          return result.run(frame);
        },
      };
    });
  }

  private comprehension(node: Comprehension): Plan {
    if (isBinding(node)) return this.binding(node);
    const range = this.plan(node.range);
    const initial = this.plan(node.initial);
    return this.within(node.accumulator, (accumulator) => {
      const loop = this.within(node.variable, (variable) => {
        const inner = (variable2?: number) => ({
          variable,
          variable2,
          condition: this.plan(node.condition),
          step: this.plan(node.step),
        });
        return node.variable2 === undefined ? inner() : this.within(node.variable2, inner);
      });
      const parts = { range, initial, accumulator, ...loop, result: this.plan(node.result) };
      return { run: (frame) => runComprehension(frame, parts) };
    });
  }
}
