import { goFunctions } from './go-functions.js';
import { parseTemplate } from './parse-template.js';
import { TemplateError } from './template-error.js';
import type { Node, Operand, Pipeline } from './template-nodes.js';
import { isDictionary, isTrue, printed, sizeMax, type TemplateFunctions, typeName } from './template-values.js';

const stepsMax = 100_000;
const parsedMax = 512;
const parsed = new Map<string, readonly Node[]>();

/** Renders a template like Go's text/template. Output size and steps are limited, because users write templates. */
export function renderTextTemplate(
  template: string,
  data: Readonly<Record<string, unknown>>,
  functions: TemplateFunctions = goFunctions,
): string {
  const renderer = new Renderer(data, functions);
  renderer.nodes(parsedTemplate(template), new Scope(data, new Map([['$', data]])));
  return renderer.output.join('');
}

/** Parses a template, or returns it from a cache. */
function parsedTemplate(template: string): readonly Node[] {
  let nodes = parsed.get(template);
  if (nodes === undefined) {
    nodes = parseTemplate(template);
    if (parsed.size >= parsedMax) parsed.clear();
    parsed.set(template, nodes);
  }
  return nodes;
}

/** A variable scope. */
class Scope {
  constructor(
    readonly dot: unknown,
    readonly variables: Map<string, unknown>,
    readonly outer?: Scope,
  ) {}

  inner(dot = this.dot): Scope {
    return new Scope(dot, new Map(), this);
  }

  get(name: string): unknown {
    const holder = this.#holderOf(name);
    return holder.variables.get(name);
  }

  set(name: string, value: unknown): void {
    this.#holderOf(name).variables.set(name, value);
  }

  #holderOf(name: string): Scope {
    if (this.variables.has(name)) return this;
    if (this.outer === undefined) throw new TemplateError(`undefined variable "${name}"`);
    return this.outer.#holderOf(name);
  }
}

type Jump = 'break' | 'continue' | undefined;

class Renderer {
  readonly output: string[] = [];
  #size = 0;
  #steps = 0;

  constructor(
    readonly root: unknown,
    readonly functions: TemplateFunctions,
  ) {}

  nodes(nodes: readonly Node[], scope: Scope): Jump {
    for (const node of nodes) {
      this.#step();
      const jump = this.#node(node, scope);
      if (jump !== undefined) return jump;
    }
    return undefined;
  }

  #node(node: Node, scope: Scope): Jump {
    switch (node.kind) {
      case 'text':
        this.#write(node.text);
        return undefined;
      case 'print': {
        const value = this.#pipeline(node.pipeline, scope);
        // A pipeline that assigns a variable prints nothing.
        if (node.pipeline.variables.length === 0) this.#write(printed(value));
        return undefined;
      }
      case 'break':
      case 'continue':
        return node.kind;
      case 'range':
        return this.#range(node, scope);
      default:
        return this.#condition(node, scope);
    }
  }

  #condition(node: Extract<Node, { then: unknown }>, scope: Scope): Jump {
    const inner = scope.inner();
    const value = this.#pipeline(node.pipeline, inner);
    if (!isTrue(value)) return this.nodes(node.otherwise, inner);
    return this.nodes(node.then, node.kind === 'with' ? inner.inner(value) : inner);
  }

  #range(node: Extract<Node, { then: unknown }>, scope: Scope): undefined {
    const { variables, declares, ...rest } = node.pipeline;
    const value = this.#pipeline({ ...rest, variables: [], declares: false }, scope);
    const entries = rangeEntries(value);
    if (entries.length === 0) {
      this.nodes(node.otherwise, scope.inner());
      return;
    }
    for (const [key, item] of entries) {
      this.#step();
      const inner = scope.inner(item);
      const values = variables.length === 2 ? [key, item] : [item];
      for (const [index, name] of variables.entries()) {
        if (declares) inner.variables.set(name, values[index]);
        else inner.set(name, values[index]);
      }
      if (this.nodes(node.then, inner) === 'break') return;
    }
  }

  #pipeline({ commands, variables, declares }: Pipeline, scope: Scope): unknown {
    let value: unknown;
    for (const [index, command] of commands.entries())
      value = this.#command(command, index === 0 ? [] : [value], scope);
    const [name] = variables;
    if (name !== undefined && declares) scope.variables.set(name, value);
    else if (name !== undefined) scope.set(name, value);
    return value;
  }

  #command(command: readonly Operand[], piped: readonly unknown[], scope: Scope): unknown {
    this.#step();
    const [first, ...others] = command;
    if (first === undefined) throw new TemplateError('missing value for command');
    if (first.kind !== 'function') {
      if (others.length + piped.length > 0) throw new TemplateError('only functions accept arguments');
      return this.#operand(first, scope);
    }
    if (first.name === 'and' || first.name === 'or') return this.#shortCut(first.name, others, piped, scope);
    const apply = this.functions.get(first.name);
    if (apply === undefined) throw new TemplateError(`function "${first.name}" not defined`);
    return apply([...others.map((operand) => this.#operand(operand, scope)), ...piped]);
  }

  /** Evaluates `and` or `or`: returns the first deciding operand. Operands after it are not evaluated. */
  #shortCut(name: 'and' | 'or', operands: readonly Operand[], piped: readonly unknown[], scope: Scope): unknown {
    let value: unknown;
    for (const operand of operands) {
      value = this.#operand(operand, scope);
      if (isTrue(value) === (name === 'or')) return value;
    }
    return piped.length === 0 ? value : piped[0];
  }

  #operand(operand: Operand, scope: Scope): unknown {
    switch (operand.kind) {
      case 'literal':
        return operand.value;
      case 'group':
        return fieldOf(this.#pipeline(operand.pipeline, scope), operand.path);
      case 'function':
        return this.#command([operand], [], scope);
      case 'variable':
        return fieldOf(scope.get(operand.name), operand.path);
      case 'field':
        return fieldOf(scope.dot, operand.path);
    }
  }

  #write(text: string): void {
    this.#size += Buffer.byteLength(text);
    if (this.#size > sizeMax) throw new TemplateError(`rendered output exceeds the ${sizeMax} byte limit`);
    this.output.push(text);
  }

  #step(): void {
    this.#steps += 1;
    if (this.#steps > stepsMax) throw new TemplateError(`rendering takes more than ${stepsMax} steps`);
  }
}

function rangeEntries(value: unknown): readonly (readonly [unknown, unknown])[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((item: unknown, index) => [BigInt(index), item] as const);
  if (isDictionary(value)) {
    return Object.keys(value)
      .sort()
      .map((key) => [key, value[key]] as const);
  }
  if (typeof value === 'bigint' && value <= BigInt(stepsMax)) {
    return Array.from({ length: Math.max(Number(value), 0) }, (_, index) => [BigInt(index), BigInt(index)] as const);
  }
  throw new TemplateError(`range can't iterate over ${printed(value)}`);
}

function fieldOf(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (current === undefined || current === null)
      throw new TemplateError(`nil pointer evaluating interface {}.${name}`);
    if (!isDictionary(current)) throw new TemplateError(`can't evaluate field ${name} in type ${typeName(current)}`);
    current = Object.hasOwn(current, name) ? current[name] : undefined;
  }
  return current;
}
