import type {
  Call,
  Comprehension,
  Expression,
  FieldEntry,
  Identifier,
  ListLiteral,
  Literal,
  LiteralValue,
  MapEntry,
  MapLiteral,
  Select,
  StructLiteral,
} from './ast.js';
import { ACCUMULATOR } from './ast.js';
import { SyntaxProblem } from './lexer.js';

/** Like cel-go, deeper trees are rejected, because every later pass is recursive. */
const HEIGHT_MAX = 250;

/** Creates nodes with new ids at one position, and limits the depth of the tree. */
export class NodeFactory {
  private nextId = 1;
  private readonly heights = new Map<number, number>();

  newId(): number {
    return this.nextId++;
  }

  literal(offset: number, literal: LiteralValue): Literal {
    return { kind: 'literal', id: this.newId(), offset, literal };
  }

  bool(offset: number, value: boolean): Literal {
    return this.literal(offset, { type: 'bool', value });
  }

  int(offset: number, value: bigint): Literal {
    return this.literal(offset, { type: 'int', value });
  }

  identifier(offset: number, name: string): Identifier {
    return { kind: 'identifier', id: this.newId(), offset, name };
  }

  accumulator(offset: number): Identifier {
    return this.identifier(offset, ACCUMULATOR);
  }

  select(offset: number, operand: Expression, field: string, testOnly = false): Select {
    return this.grown({ kind: 'select', id: this.newId(), offset, operand, field, testOnly }, [operand]);
  }

  call(offset: number, name: string, args: readonly Expression[], target?: Expression): Call {
    const node: Call = { kind: 'call', id: this.newId(), offset, function: name, args, target };
    return this.grown(node, target === undefined ? args : [target, ...args]);
  }

  list(offset: number, elements: readonly Expression[], optional: ReadonlySet<number> = new Set()): ListLiteral {
    return this.grown({ kind: 'list', id: this.newId(), offset, elements, optional }, elements);
  }

  map(offset: number, entries: readonly MapEntry[]): MapLiteral {
    const children = entries.flatMap((entry) => [entry.key, entry.value]);
    return this.grown({ kind: 'map', id: this.newId(), offset, entries }, children);
  }

  struct(offset: number, typeName: string, entries: readonly FieldEntry[]): StructLiteral {
    const children = entries.map((entry) => entry.value);
    return this.grown({ kind: 'struct', id: this.newId(), offset, typeName, entries }, children);
  }

  comprehension(offset: number, parts: Omit<Comprehension, 'kind' | 'id' | 'offset'>): Comprehension {
    const children = [parts.range, parts.initial, parts.condition, parts.step, parts.result];
    return this.grown({ kind: 'comprehension', id: this.newId(), offset, ...parts }, children);
  }

  /** Copies an expression with new ids: macros that use an argument twice need two nodes. */
  copy(node: Expression): Expression {
    const id = this.newId();
    switch (node.kind) {
      case 'literal':
      case 'identifier':
        return { ...node, id };
      case 'select':
        return { ...node, id, operand: this.copy(node.operand) };
      case 'call':
        return {
          ...node,
          id,
          target: node.target && this.copy(node.target),
          args: node.args.map((arg) => this.copy(arg)),
        };
      case 'list':
        return { ...node, id, elements: node.elements.map((element) => this.copy(element)) };
      case 'map':
        return { ...node, id, entries: node.entries.map((entry) => this.copyMapEntry(entry)) };
      case 'struct':
        return { ...node, id, entries: node.entries.map((entry) => ({ ...entry, value: this.copy(entry.value) })) };
      case 'comprehension':
        return this.copyComprehension(node, id);
    }
  }

  private copyMapEntry(entry: MapEntry): MapEntry {
    return { ...entry, key: this.copy(entry.key), value: this.copy(entry.value) };
  }

  private copyComprehension(node: Comprehension, id: number): Comprehension {
    return {
      ...node,
      id,
      range: this.copy(node.range),
      initial: this.copy(node.initial),
      condition: this.copy(node.condition),
      step: this.copy(node.step),
      result: this.copy(node.result),
    };
  }

  private grown<T extends Expression>(node: T, children: readonly Expression[]): T {
    let height = 1;
    for (const child of children) height = Math.max(height, 1 + (this.heights.get(child.id) ?? 0));
    if (height > HEIGHT_MAX) {
      throw new SyntaxProblem({
        offset: -1,
        message: `Internal error: expression recursion limit exceeded: ${HEIGHT_MAX}`,
      });
    }
    this.heights.set(node.id, height);
    return node;
  }
}
