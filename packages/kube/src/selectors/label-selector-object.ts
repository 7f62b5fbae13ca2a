import { type FieldError, forbiddenField, invalidField, requiredField } from '../errors/field-error.js';
import { checkLabelValue, checkQualifiedName } from '../meta/name-rules.js';
import { validateLabels } from '../validation/validate-object-meta.js';
import { type LabelOperator, type LabelRequirement, newLabelRequirement, SelectorError } from './label-requirement.js';
import { everyLabel, LabelSelector, noLabel } from './label-selector.js';

/** metav1.LabelSelector. */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>> | null;
  readonly matchExpressions?: readonly LabelSelectorExpression[] | null;
}

interface LabelSelectorExpression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | null;
}

const operators = new Map<string, LabelOperator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/** Converts a metav1.LabelSelector. An absent selector matches nothing, an empty one everything. Throws SelectorError. */
export function labelSelectorFromObject(object: LabelSelectorObject | null | undefined): LabelSelector {
  if (object === undefined || object === null) return noLabel;
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(object.matchLabels ?? {}))
    requirements.push(newLabelRequirement(key, '=', [value]));
  for (const expression of object.matchExpressions ?? []) {
    const operator = operators.get(expression.operator);
    if (operator === undefined)
      throw new SelectorError(`${JSON.stringify(expression.operator)} is not a valid label selector operator`);
    requirements.push(newLabelRequirement(expression.key, operator, expression.values ?? []));
  }
  return requirements.length === 0 ? everyLabel : new LabelSelector(requirements);
}

export function validateLabelSelector(object: LabelSelectorObject | null | undefined, path: string): FieldError[] {
  const errors = validateLabels(object?.matchLabels, `${path}.matchLabels`);
  (object?.matchExpressions ?? []).forEach((expression, index) => {
    errors.push(...validateExpression(expression, `${path}.matchExpressions[${index}]`));
  });
  return errors;
}

function validateExpression(expression: LabelSelectorExpression, path: string): FieldError[] {
  const values = expression.values ?? [];
  const errors = validateOperator(expression.operator, values.length, path);
  for (const text of checkQualifiedName(expression.key ?? ''))
    errors.push(invalidField(`${path}.key`, expression.key ?? '', text));
  values.forEach((value, index) => {
    for (const text of checkLabelValue(value)) errors.push(invalidField(`${path}.values[${index}]`, value, text));
  });
  return errors;
}

function validateOperator(operator: string, valueCount: number, path: string): FieldError[] {
  if (operator === 'In' || operator === 'NotIn') {
    const text = "must be specified when `operator` is 'In' or 'NotIn'";
    return valueCount === 0 ? [requiredField(`${path}.values`, text)] : [];
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    const text = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    return valueCount > 0 ? [forbiddenField(`${path}.values`, text)] : [];
  }
  return [invalidField(`${path}.operator`, operator ?? '', 'not a valid selector operator')];
}
