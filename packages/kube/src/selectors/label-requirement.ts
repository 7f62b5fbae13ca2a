import { type FieldError, formatFieldError, invalidField } from '../errors/field-error.js';
import { checkLabelValue, checkQualifiedName } from '../meta/name-rules.js';

export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** One requirement on labels. Its values are sorted and unique. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

export type Labels = Readonly<Record<string, string>>;

/** An invalid selector. The message is upstream's. */
export class SelectorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SelectorError';
  }
}

const integer = /^[-+]?[0-9]+$/;

/** Creates a requirement. Throws SelectorError if the key or the values are invalid. */
export function newLabelRequirement(key: string, operator: LabelOperator, values: readonly string[]): LabelRequirement {
  const errors: FieldError[] = [];
  const keyProblems = checkQualifiedName(key);
  if (keyProblems.length > 0) errors.push(invalidField('key', key, keyProblems.join('; ')));
  errors.push(...checkValueCount(operator, values));
  values.forEach((value, index) => {
    const problems = checkLabelValue(value);
    if (problems.length > 0) errors.push(invalidField(`values[${index}][${key}]`, value, problems.join('; ')));
  });
  if (errors.length > 0) throw new SelectorError(joinErrors(errors));
  return { key, operator, values };
}

function joinErrors(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(formatFieldError))];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}

function checkValueCount(operator: LabelOperator, values: readonly string[]): FieldError[] {
  if (operator === 'in' || operator === 'notin') {
    const text = "for 'in', 'notin' operators, values set can't be empty";
    return values.length === 0 ? [invalidField('values', values, text)] : [];
  }
  if (operator === 'exists' || operator === '!') {
    const text = 'values set must be empty for exists and does not exist';
    return values.length > 0 ? [invalidField('values', values, text)] : [];
  }
  if (operator === 'gt' || operator === 'lt') return checkIntegers(values);
  const text = 'exact-match compatibility requires one single value';
  return values.length === 1 ? [] : [invalidField('values', values, text)];
}

function checkIntegers(values: readonly string[]): FieldError[] {
  const errors =
    values.length === 1
      ? []
      : [invalidField('values', values, "for 'Gt', 'Lt' operators, exactly one value is required")];
  values.forEach((value, index) => {
    if (parseInt64(value) === undefined)
      errors.push(invalidField(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"));
  });
  return errors;
}

function parseInt64(text: string): bigint | undefined {
  if (!integer.test(text) || text.length > 20) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

const negativeOperators: ReadonlySet<LabelOperator> = new Set(['!', '!=', 'notin']);

export function matchesRequirement(requirement: LabelRequirement, labels: Labels): boolean {
  const { key, operator, values } = requirement;
  // An absent label differs from every value, so that only negative operators match.
  if (!Object.hasOwn(labels, key)) return negativeOperators.has(operator);
  const value = labels[key] ?? '';
  switch (operator) {
    case 'exists':
      return true;
    case '!':
      return false;
    case 'notin':
    case '!=':
      return !values.includes(value);
    case 'gt':
    case 'lt':
      return comparesTo(value, values[0] ?? '', operator);
    default:
      return values.includes(value);
  }
}

function comparesTo(value: string, bound: string, operator: 'gt' | 'lt'): boolean {
  const actual = parseInt64(value);
  const limit = parseInt64(bound);
  if (actual === undefined || limit === undefined) return false;
  return operator === 'gt' ? actual > limit : actual < limit;
}

export function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${[...values].sort().join(',')})`;
    case 'gt':
      return `${key}>${values.join(',')}`;
    case 'lt':
      return `${key}<${values.join(',')}`;
    default:
      return `${key}${operator}${values.join(',')}`;
  }
}
