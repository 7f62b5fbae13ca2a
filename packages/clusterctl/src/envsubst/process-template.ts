import { applyOperator } from './functions.js';
import { parseTemplate, type TemplatePart } from './parse.js';

/** Gives the value of a variable; undefined when nobody set it. */
export type Lookup = (variable: string) => string | undefined;

/** What a template asks for. */
export interface TemplateVariable {
  readonly name: string;
  /** As the template writes it. Absent: somebody has to give a value. */
  readonly default?: string;
}

/** All variables that nobody gave a value for, in one error. */
export class MissingVariablesError extends Error {
  readonly variables: readonly string[];

  constructor(variables: readonly string[]) {
    super(
      `value for variables [${variables.join(', ')}] is not set. Please set the value using os environment variables or the clusterctl config file`,
    );
    this.name = 'MissingVariablesError';
    this.variables = variables;
  }
}

/** The variables of a template, by name. Of one that occurs twice, the first occurrence tells the default. */
export function templateVariables(text: string): TemplateVariable[] {
  return variablesOf(parseTemplate(withoutBlanks(text)));
}

/**
 * A template with values in the place of its variables. One that nobody set is an error unless an operator has an operand:
 * that counts as a default, whatever the operator does with it.
 */
export function processTemplate(text: string, lookup: Lookup): string {
  const parts = parseTemplate(withoutBlanks(text));
  const missing = variablesOf(parts)
    .filter((variable) => variable.default === undefined && lookup(variable.name) === undefined)
    .map(({ name }) => name);
  if (missing.length > 0) throw new MissingVariablesError(missing);
  return parts.map((part) => evaluate(part, lookup)).join('');
}

function variablesOf(parts: readonly TemplatePart[]): TemplateVariable[] {
  const found = new Map<string, TemplateVariable>();
  for (const part of parts) {
    if (typeof part === 'string' || found.has(part.variable)) continue;
    const words = part.operands.map((operand) => (typeof operand === 'string' ? operand : `\${${operand.variable}}`));
    const text = words.join('');
    found.set(part.variable, { name: part.variable, ...(text !== '' && { default: text }) });
  }
  return [...found.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

function evaluate(part: TemplatePart, lookup: Lookup): string {
  if (typeof part === 'string') return part;
  const operands = part.operands.map((operand) => evaluate(operand, lookup));
  return applyOperator(part.operator, lookup(part.variable) ?? '', operands);
}

/** Old templates write `${ NAME }`. */
function withoutBlanks(text: string): string {
  return text.replaceAll(/\$\{\s*[A-Za-z0-9_$]+\s*\}/g, (variable) => variable.replaceAll(/\s/g, ''));
}
