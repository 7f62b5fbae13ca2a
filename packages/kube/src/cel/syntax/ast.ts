/** A literal: int is bigint, double is number, and uint is boxed to distinguish it from int. */
export type LiteralValue =
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'uint'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'null' };

interface Node {
  /** Unique within one expression. Results of the checker and the cost estimate are keyed by it. */
  readonly id: number;
  /** The position for messages about this node. */
  readonly offset: number;
}

export interface Literal extends Node {
  readonly kind: 'literal';
  readonly literal: LiteralValue;
}

export interface Identifier extends Node {
  readonly kind: 'identifier';
  readonly name: string;
}

export interface Select extends Node {
  readonly kind: 'select';
  readonly operand: Expression;
  readonly field: string;
  /** True for the argument of `has(a.b)`. */
  readonly testOnly: boolean;
}

export interface Call extends Node {
  readonly kind: 'call';
  readonly function: string;
  readonly target?: Expression;
  readonly args: readonly Expression[];
}

export interface ListLiteral extends Node {
  readonly kind: 'list';
  readonly elements: readonly Expression[];
  readonly optional: ReadonlySet<number>;
}

export interface MapEntry {
  readonly id: number;
  readonly offset: number;
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

export interface MapLiteral extends Node {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface FieldEntry {
  readonly id: number;
  readonly offset: number;
  readonly field: string;
  readonly value: Expression;
  readonly optional: boolean;
}

export interface StructLiteral extends Node {
  readonly kind: 'struct';
  readonly typeName: string;
  readonly entries: readonly FieldEntry[];
}

/** The expansion of every macro: a fold of `range` into `accumulator`. */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly range: Expression;
  readonly variable: string;
  readonly variable2?: string;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

export type Expression =
  | Literal
  | Identifier
  | Select
  | Call
  | ListLiteral
  | MapLiteral
  | StructLiteral
  | Comprehension;

/** The accumulator variable of macros. Expressions cannot use the name because of the `@`. */
export const ACCUMULATOR = '@result';

export const Operator = {
  conditional: '_?_:_',
  and: '_&&_',
  or: '_||_',
  not: '!_',
  equals: '_==_',
  notEquals: '_!=_',
  less: '_<_',
  lessEquals: '_<=_',
  greater: '_>_',
  greaterEquals: '_>=_',
  in: '@in',
  add: '_+_',
  subtract: '_-_',
  multiply: '_*_',
  divide: '_/_',
  modulo: '_%_',
  negate: '-_',
  index: '_[_]',
  optionalIndex: '_[?_]',
  optionalSelect: '_?._',
  notStrictlyFalse: '@not_strictly_false',
} as const;

/** Returns the direct children in evaluation order. */
export function childrenOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'literal':
    case 'identifier':
      return [];
    case 'select':
      return [node.operand];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'list':
      return node.elements;
    case 'map':
      return node.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'struct':
      return node.entries.map((entry) => entry.value);
    case 'comprehension':
      return [node.range, node.initial, node.condition, node.step, node.result];
  }
}

/** Returns `a.b.c` for a chain of plain selections, and undefined for any other expression. */
export function qualifiedName(node: Expression): string | undefined {
  if (node.kind === 'identifier') return node.name;
  if (node.kind !== 'select' || node.testOnly) return undefined;
  const prefix = qualifiedName(node.operand);
  return prefix === undefined ? undefined : `${prefix}.${node.field}`;
}

/** Returns whether a comprehension only binds a name: its range is empty. */
export function isBinding(node: Comprehension): boolean {
  const { range, condition } = node;
  const isNothing = range.kind === 'list' && range.elements.length === 0;
  const isNever = condition.kind === 'literal' && condition.literal.type === 'bool' && !condition.literal.value;
  return isNothing && isNever && node.accumulator !== ACCUMULATOR;
}
