import type { Comprehension, Expression } from './ast.js';
import { ACCUMULATOR, Operator } from './ast.js';
import { SyntaxProblem } from './lexer.js';
import type { NodeFactory } from './node-factory.js';

export interface MacroCall {
  readonly make: NodeFactory;
  /** The position of the macro call. All nodes of the expansion report errors there. */
  readonly offset: number;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}

type Macro = (call: MacroCall) => Expression;

/** Expands a macro call. Returns undefined if the call is a function call. */
export function expandMacro(name: string, call: MacroCall): Expression | undefined {
  const key = `${call.target === undefined ? '' : '.'}${name}/${call.args.length}`;
  return MACROS.get(key)?.(call);
}

const MACROS: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ['has/1', expandHas],
  ['.all/2', (call) => quantifier(call, 'all', oneVariable(call))],
  ['.all/3', (call) => quantifier(call, 'all', twoVariables(call))],
  ['.exists/2', (call) => quantifier(call, 'exists', oneVariable(call))],
  ['.exists/3', (call) => quantifier(call, 'exists', twoVariables(call))],
  ['.exists_one/2', (call) => quantifier(call, 'one', oneVariable(call))],
  ['.exists_one/3', (call) => quantifier(call, 'one', twoVariables(call))],
  ['.existsOne/3', (call) => quantifier(call, 'one', twoVariables(call))],
  ['.map/2', (call) => transformList(call, oneVariable(call), 1)],
  ['.map/3', (call) => transformList(call, oneVariable(call), 1)],
  ['.filter/2', expandFilter],
  ['.transformList/3', (call) => transformList(call, twoVariables(call), 2)],
  ['.transformList/4', (call) => transformList(call, twoVariables(call), 2)],
  ['.transformMap/3', (call) => transformMap(call, true)],
  ['.transformMap/4', (call) => transformMap(call, true)],
  ['.transformMapEntry/3', (call) => transformMap(call, false)],
  ['.transformMapEntry/4', (call) => transformMap(call, false)],
  ['.optMap/2', (call) => expandOptional(call, 'optMap')],
  ['.optFlatMap/2', (call) => expandOptional(call, 'optFlatMap')],
  ['.sortBy/2', expandSortBy],
]);

interface Variables {
  readonly variable: string;
  readonly variable2?: string;
}

function at(call: MacroCall, index: number): Expression {
  const arg = call.args[index];
  if (arg === undefined) throw new SyntaxProblem({ offset: call.offset, message: 'missing macro argument' });
  return arg;
}

function rangeOf(call: MacroCall): Expression {
  if (call.target === undefined) throw new SyntaxProblem({ offset: call.offset, message: 'missing macro target' });
  return call.target;
}

function simpleName(arg: Expression, otherwise: string): string {
  if (arg.kind !== 'identifier' || arg.name.startsWith('.'))
    throw new SyntaxProblem({ offset: arg.offset, message: otherwise });
  if (arg.name === ACCUMULATOR || arg.name === '__result__') {
    throw new SyntaxProblem({ offset: arg.offset, message: 'iteration variable overwrites accumulator variable' });
  }
  return arg.name;
}

function oneVariable(call: MacroCall): Variables {
  return { variable: simpleName(at(call, 0), 'argument must be a simple name') };
}

function twoVariables(call: MacroCall): Variables {
  const variable = simpleName(at(call, 0), 'argument must be a simple name');
  const second = at(call, 1);
  const variable2 = simpleName(second, 'argument must be a simple name');
  if (variable === variable2) {
    throw new SyntaxProblem({ offset: second.offset, message: `duplicate variable name: ${variable}` });
  }
  return { variable, variable2 };
}

function expandHas(call: MacroCall): Expression {
  const arg = at(call, 0);
  if (arg.kind !== 'select') {
    throw new SyntaxProblem({ offset: arg.offset, message: 'invalid argument to has() macro' });
  }
  return call.make.select(call.offset, arg.operand, arg.field, true);
}

function quantifier(call: MacroCall, kind: 'all' | 'exists' | 'one', variables: Variables): Comprehension {
  const { make, offset } = call;
  const predicate = at(call, call.args.length - 1);
  const accumulator = (): Expression => make.accumulator(offset);
  const base = { range: rangeOf(call), ...variables, accumulator: ACCUMULATOR };
  if (kind === 'one') {
    const increment = make.call(offset, Operator.add, [accumulator(), make.int(offset, 1n)]);
    return make.comprehension(offset, {
      ...base,
      initial: make.int(offset, 0n),
      condition: make.bool(offset, true),
      step: make.call(offset, Operator.conditional, [predicate, increment, accumulator()]),
      result: make.call(offset, Operator.equals, [accumulator(), make.int(offset, 1n)]),
    });
  }
  const isAll = kind === 'all';
  const watched = isAll ? accumulator() : make.call(offset, Operator.not, [accumulator()]);
  return make.comprehension(offset, {
    ...base,
    initial: make.bool(offset, isAll),
    condition: make.call(offset, Operator.notStrictlyFalse, [watched]),
    step: make.call(offset, isAll ? Operator.and : Operator.or, [accumulator(), predicate]),
    result: accumulator(),
  });
}

/** Creates a comprehension that folds `step` over the range, with the filter of the macro if it has one. */
function fold(
  call: MacroCall,
  variables: Variables,
  initial: Expression,
  step: Expression,
  filter?: Expression,
): Comprehension {
  const { make, offset } = call;
  const guarded = filter && make.call(offset, Operator.conditional, [filter, step, make.accumulator(offset)]);
  return make.comprehension(offset, {
    range: rangeOf(call),
    ...variables,
    accumulator: ACCUMULATOR,
    initial,
    condition: make.bool(offset, true),
    step: guarded ?? step,
    result: make.accumulator(offset),
  });
}

function transformList(call: MacroCall, variables: Variables, variableCount: number): Comprehension {
  const { make, offset, args } = call;
  const filter = args.length > variableCount + 1 ? args[variableCount] : undefined;
  const transform = at(call, args.length - 1);
  const initial = make.list(offset, []);
  const step = make.call(offset, Operator.add, [make.accumulator(offset), make.list(offset, [transform])]);
  return fold(call, variables, initial, step, filter);
}

function expandFilter(call: MacroCall): Comprehension {
  const { make, offset } = call;
  const variables = oneVariable(call);
  const element = make.copy(at(call, 0));
  const initial = make.list(offset, []);
  const step = make.call(offset, Operator.add, [make.accumulator(offset), make.list(offset, [element])]);
  return fold(call, variables, initial, step, at(call, 1));
}

function transformMap(call: MacroCall, keepsKey: boolean): Comprehension {
  const { make, offset, args } = call;
  const variables = twoVariables(call);
  const filter = args.length === 4 ? args[2] : undefined;
  const transform = at(call, args.length - 1);
  const key = keepsKey ? [make.identifier(offset, variables.variable)] : [];
  const initial = make.map(offset, []);
  const step = make.call(offset, 'cel.@mapInsert', [make.accumulator(offset), ...key, transform]);
  return fold(call, variables, initial, step, filter);
}

/** Creates cel-go's form of `let`: a comprehension over an empty range whose accumulator is the bound name. */
function bind(call: MacroCall, name: string, value: Expression, body: Expression): Comprehension {
  const { make, offset } = call;
  return make.comprehension(offset, {
    range: make.list(offset, []),
    variable: '#unused',
    accumulator: name,
    initial: value,
    condition: make.bool(offset, false),
    step: make.identifier(offset, name),
    result: body,
  });
}

function expandOptional(call: MacroCall, macro: 'optMap' | 'optFlatMap'): Expression {
  const { make, offset } = call;
  const variable = at(call, 0);
  if (variable.kind !== 'identifier') {
    throw new SyntaxProblem({
      offset: variable.offset,
      message: `${macro}() variable name must be a simple identifier`,
    });
  }
  const target = rangeOf(call);
  const value = make.call(offset, 'value', [], make.copy(target));
  const bound = bind(call, variable.name, value, at(call, 1));
  const mapped = macro === 'optMap' ? make.call(offset, 'optional.of', [bound]) : bound;
  const present = make.call(offset, 'hasValue', [], target);
  return make.call(offset, Operator.conditional, [present, mapped, make.call(offset, 'optional.none', [])]);
}

function expandSortBy(call: MacroCall): Expression {
  const { make, offset } = call;
  const target = rangeOf(call);
  if (target.kind === 'literal' || target.kind === 'map' || target.kind === 'struct') {
    const message = 'sortBy can only be applied to a list, identifier, comprehension, call or select expression';
    throw new SyntaxProblem({ offset: target.offset, message });
  }
  const input = '@__sortBy_input__';
  const keys = transformList({ ...call, target: make.identifier(offset, input) }, oneVariable(call), 1);
  const sorted = make.call(offset, '@sortByAssociatedKeys', [keys], make.identifier(offset, input));
  return bind(call, input, target, sorted);
}
