import { templateFunctions, isTrue, printed } from './template-functions.js';
import { type Node, type Operand, parseTemplate, type Pipeline, TemplateError } from './parse-template.js';

const outputBytesMax = 1_048_576;

interface Scope {
  readonly root: unknown;
  readonly dot: unknown;
}

/** Renders a template as Go's text/template does, with no functions but its own. The result is at most 1 MiB. */
export function renderTextTemplate(template: string, data: Readonly<Record<string, unknown>>): string {
  const output: string[] = [];
  let size = 0;
  const write = (text: string): void => {
    size += Buffer.byteLength(text);
    if (size > outputBytesMax) throw new TemplateError(`rendered output exceeds the ${outputBytesMax} byte limit`);
    output.push(text);
  };
  renderNodes(parseTemplate(template), { root: data, dot: data }, write);
  return output.join('');
}

function renderNodes(nodes: readonly Node[], scope: Scope, write: (text: string) => void): void {
  for (const node of nodes) {
    if (node.kind === 'text') write(node.text);
    else if (node.kind === 'print') write(printed(evaluate(node.pipeline, scope)));
    else {
      const value = evaluate(node.pipeline, scope);
      if (!isTrue(value)) renderNodes(node.otherwise, scope, write);
      else renderNodes(node.then, node.kind === 'with' ? { ...scope, dot: value } : scope, write);
    }
  }
}

function evaluate(pipeline: Pipeline, scope: Scope): unknown {
  let value: unknown;
  for (const [index, command] of pipeline.entries()) {
    value = evaluateCommand(command, index === 0 ? [] : [value], scope);
  }
  return value;
}

function evaluateCommand(command: readonly Operand[], piped: readonly unknown[], scope: Scope): unknown {
  const [first, ...others] = command;
  if (first === undefined) throw new TemplateError('missing value for command');
  const operands = [...others.map((operand) => evaluateOperand(operand, scope)), ...piped];
  if (first.kind === 'function') {
    const apply = templateFunctions.get(first.name);
    if (apply === undefined) throw new TemplateError(`function "${first.name}" not defined`);
    return apply(operands);
  }
  if (operands.length > 0) throw new TemplateError('only a function can be given operands');
  return evaluateOperand(first, scope);
}

function evaluateOperand(operand: Operand, scope: Scope): unknown {
  switch (operand.kind) {
    case 'literal':
      return operand.value;
    case 'group':
      return evaluate(operand.pipeline, scope);
    case 'function':
      return evaluateCommand([operand], [], scope);
    case 'field':
      return fieldOf(operand.fromRoot ? scope.root : scope.dot, operand.path);
  }
}

function fieldOf(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (current === undefined || current === null)
      throw new TemplateError(`nil pointer evaluating interface {}.${name}`);
    if (typeof current !== 'object') throw new TemplateError(`can't evaluate field ${name} in type string`);
    current = Object.hasOwn(current, name) ? (current as Record<string, unknown>)[name] : undefined;
  }
  return current;
}
