import { applyOperator } from './functions.js';
import { parseTemplate, type TemplatePart } from './parse.js';

/** Returns the value of a variable. Undefined if it is not set. */
export type Lookup = (variable: string) => string | undefined;

/** A variable of a template. */
export interface TemplateVariable {
  readonly name: string;
  /** The default in the template. If absent, a value is required. */
  readonly default?: string;
}

/** Reports all required variables that have no value. */
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

/** Returns the variables of a template, by name. The first occurrence of a variable sets its default. */
export function templateVariables(text: string): TemplateVariable[] {
  return variablesOf(parseTemplate(withoutBlanks(text)));
}

/**
 * Substitutes the variables of a template. Throws for a variable without a value, unless its operator has an operand: for every
 * operator, an operand counts as a default.
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
    const args = part.operands.map((operand) => (typeof operand === 'string' ? operand : `\${${operand.variable}}`));
    const text = args.join('');
    found.set(part.variable, { name: part.variable, ...(text !== '' && { default: text }) });
  }
  return [...found.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

function evaluate(part: TemplatePart, lookup: Lookup): string {
  if (typeof part === 'string') return part;
  const operands = part.operands.map((operand) => evaluate(operand, lookup));
  return applyOperator(part.operator, lookup(part.variable) ?? '', operands);
}

/** Removes the blanks in `${ NAME }`, which old templates use. */
function withoutBlanks(text: string): string {
  return text.replaceAll(/\$\{\s*[A-Za-z0-9_$]+\s*\}/g, (variable) => variable.replaceAll(/\s/g, ''));
}
