import { type FieldError, invalidField, notSupported, requiredField } from '../../errors/index.js';
import type { Schema, ValidationRule } from '../schema.js';
import { resolveFieldPath } from './field-path.js';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const lineBreak = /[\n\r]/;

/** Validates the CEL rules of a node without compiling them. */
export function checkRuleTexts(schema: Schema, path: string, errors: FieldError[]): void {
  schema['x-kubernetes-validations']?.forEach((rule, index) => {
    const rulePath = `${path}.x-kubernetes-validations[${index}]`;
    checkMessage(rule, rulePath, errors);
    const { messageExpression = '', reason } = rule;
    if (messageExpression !== '' && messageExpression.trim() === '') {
      const text = 'messageExpression must be non-empty if specified';
      errors.push(requiredField(`${rulePath}.messageExpression`, text));
    }
    if (reason !== undefined && !reasons.includes(reason)) {
      errors.push(notSupported(`${rulePath}.reason`, reason, reasons));
    }
    checkFieldPath(schema, rule.fieldPath ?? '', `${rulePath}.fieldPath`, errors);
  });
}

function checkMessage(rule: ValidationRule, path: string, errors: FieldError[]): void {
  const text = (rule.rule ?? '').trim();
  const message = rule.message ?? '';
  const trimmed = message.trim();
  if (text === '') errors.push(requiredField(`${path}.rule`, 'rule is not specified'));
  else if (message !== '' && trimmed === '') {
    errors.push(invalidField(`${path}.message`, message, 'must be non-empty if specified'));
  } else if (lineBreak.test(trimmed)) {
    errors.push(invalidField(`${path}.message`, message, 'must not contain line breaks'));
  } else if (lineBreak.test(text) && trimmed === '') {
    errors.push(requiredField(`${path}.message`, 'message must be specified if rule contains line breaks'));
  }
}

function checkFieldPath(schema: Schema, fieldPath: string, path: string, errors: FieldError[]): void {
  if (fieldPath === '') return;
  if (fieldPath.trim() === '') errors.push(invalidField(path, fieldPath, 'must be non-empty if specified'));
  if (lineBreak.test(fieldPath)) errors.push(invalidField(path, fieldPath, 'must not contain line breaks'));
  if ('error' in resolveFieldPath(schema, fieldPath, true)) {
    errors.push(invalidField(path, fieldPath, 'must be a valid path'));
  }
}
