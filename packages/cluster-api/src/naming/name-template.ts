/** Variables of a name template: `{ cluster: { name: 'c' }, random: 'abcde' }`. */
export interface NameValues {
  readonly [key: string]: string | NameValues;
}

export class NameTemplateError extends Error {}

const variable = /^(\.[A-Za-z][A-Za-z0-9]*)+$/;

/**
 * Renders a template such as `{{ .machineSet.name }}-{{ .random }}`. Supports only plain variables, which is all that names need.
 */
export function renderNameTemplate(template: string, values: NameValues): string {
  return partsOf(template)
    .map((part) => (part.variable ? valueOf(part.text, values) : part.text))
    .join('');
}

/** Whether the template has a random part, without which a replaced machine could not get a new name. */
export function hasRandomPart(template: string): boolean {
  return template.includes('}}') && partsOf(template).some((part) => part.variable && part.text === '.random');
}

/** Splits a template into text and `{{ }}` actions. Hand-written, because a regular expression would take quadratic time. */
function partsOf(template: string): { readonly text: string; readonly variable: boolean }[] {
  const parts: { text: string; variable: boolean }[] = [];
  let position = 0;
  for (;;) {
    const open = template.indexOf('{{', position);
    if (open < 0) return [...parts, { text: template.slice(position), variable: false }];
    const close = template.indexOf('}}', open + 2);
    if (close < 0) throw new NameTemplateError('unclosed action');
    parts.push({ text: template.slice(position, open), variable: false });
    parts.push({ text: expressionOf(template.slice(open + 2, close)), variable: true });
    position = close + 2;
  }
}

// Returns the expression of an action. Ignores the trim markers `{{-` and `-}}`: names have no spaces to trim.
function expressionOf(text: string): string {
  const start = text.startsWith('-') ? 1 : 0;
  const end = text.endsWith('-') ? -1 : undefined;
  return text.slice(start, end).trim();
}

function valueOf(expression: string, values: NameValues): string {
  if (!variable.test(expression)) throw new NameTemplateError(`${JSON.stringify(expression)} is not a variable`);
  let value: string | NameValues | undefined = values;
  for (const key of expression.slice(1).split('.')) {
    value = typeof value === 'object' && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  if (typeof value !== 'string') throw new NameTemplateError(`unknown variable ${expression}`);
  return value;
}
