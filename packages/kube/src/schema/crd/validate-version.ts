import { duplicateField, type FieldError, invalidField, requiredField, tooMany } from '../../errors/index.js';
import type { Schema } from '../schema.js';
import type {
  CustomResourceColumn,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
} from './custom-resource-definition.js';
import { orEmpty } from './foreign-schema.js';
import { resolveFieldPath } from './field-path.js';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const selectableFieldsMax = 8;
const deprecationWarningMax = 256;

export function validateDeprecation(version: CustomResourceDefinitionVersion, path: string): FieldError[] {
  const { deprecated, deprecationWarning: warning } = version;
  if (warning === undefined || warning === null) return [];
  return deprecationProblems(deprecated === true, warning).map((problem) =>
    invalidField(`${path}.deprecationWarning`, warning, problem),
  );
}

function deprecationProblems(deprecated: boolean, warning: string): string[] {
  if (!deprecated) return ['can only be set for deprecated versions'];
  const problems: string[] = [];
  const bytes = new TextEncoder().encode(warning).length;
  if (bytes > deprecationWarningMax) problems.push(`must be <= ${deprecationWarningMax} characters long`);
  if (bytes === 0) problems.push('must not be an empty string');
  const found = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  if (found !== null) {
    const offset = new TextEncoder().encode(warning.slice(0, found.index)).length;
    const text = 'must only contain printable UTF-8 characters; non-printable character found at index';
    problems.push(`${text} ${offset}`);
  }
  return problems;
}

export function validateSubresources(subresources: CustomResourceSubresources, path: string): FieldError[] {
  const { scale } = subresources;
  if (scale === undefined || scale === null) return [];
  const errors = [
    ...requirePath(orEmpty(scale.specReplicasPath), '.spec', `${path}.scale.specReplicasPath`),
    ...requirePath(orEmpty(scale.statusReplicasPath), '.status', `${path}.scale.statusReplicasPath`),
  ];
  const selector = scale.labelSelectorPath ?? '';
  if (selector === '') return errors;
  const selectorPath = `${path}.scale.labelSelectorPath`;
  const problems = simplePathProblems(selector, selectorPath);
  if (problems.length > 0) return [...errors, ...problems];
  if (selector.startsWith('.spec.') || selector.startsWith('.status.')) return errors;
  return [...errors, invalidField(selectorPath, selector, 'should be a json path under either .spec or .status')];
}

function requirePath(text: string, parent: string, path: string): FieldError[] {
  if (text === '') return [requiredField(path)];
  const problems = simplePathProblems(text, path);
  if (problems.length > 0 || text.startsWith(`${parent}.`)) return problems;
  return [invalidField(path, text, `should be a json path under ${parent}`)];
}

function simplePathProblems(text: string, path: string): FieldError[] {
  return text.startsWith('.') ? [] : [invalidField(path, text, 'must be a simple json path starting with .')];
}

export function validateColumn(column: CustomResourceColumn, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const format = orEmpty(column.format);
  const jsonPath = orEmpty(column.jsonPath);
  if (orEmpty(column.name) === '') errors.push(requiredField(`${path}.name`));
  checkColumnType(orEmpty(column.type), `${path}.type`, errors);
  if (format !== '' && !columnFormats.includes(format)) {
    errors.push(invalidField(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`));
  }
  // Upstream's error contains the name that this field had in v1beta1.
  if (jsonPath === '') errors.push(requiredField(`${path}.JSONPath`));
  else errors.push(...simplePathProblems(jsonPath, `${path}.JSONPath`));
  return errors;
}

function checkColumnType(type: string, path: string, errors: FieldError[]): void {
  const text = `must be one of ${columnTypes.join(',')}`;
  if (type === '') errors.push(requiredField(path, text));
  else if (!columnTypes.includes(type)) errors.push(invalidField(path, type, text));
}

export function validateSelectableFields(
  fields: readonly { readonly jsonPath: string }[],
  schema: Schema,
  path: string,
  tooManyAllowed: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, field] of fields.entries()) {
    const jsonPath = orEmpty(field.jsonPath);
    const fieldPath = `${path}[${index}].jsonPath`;
    if (jsonPath === '') {
      errors.push(requiredField(fieldPath));
      continue;
    }
    const resolved = resolveFieldPath(schema, jsonPath, false);
    if ('error' in resolved) {
      errors.push(invalidField(fieldPath, jsonPath, `is an invalid path: ${resolved.error}`));
      continue;
    }
    if (resolved.keys[0] === 'metadata') {
      errors.push(invalidField(fieldPath, jsonPath, 'must not point to fields in metadata'));
    }
    if (!isSelectable(resolved.schema)) errors.push(invalidField(fieldPath, jsonPath, selectableText));
    const key = JSON.stringify(resolved.keys);
    if (seen.has(key)) errors.push(duplicateField(fieldPath, jsonPath));
    seen.add(key);
  }
  if (seen.size > selectableFieldsMax && !tooManyAllowed) {
    errors.push(tooMany(path, seen.size, selectableFieldsMax));
  }
  return errors;
}

const selectableText =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';

function isSelectable(schema: Schema | undefined): boolean {
  return schema?.type === 'string' || schema?.type === 'boolean' || schema?.type === 'integer';
}

export function exceedsSelectableFields(fields: readonly unknown[] | undefined): boolean {
  return (fields?.length ?? 0) > selectableFieldsMax;
}
