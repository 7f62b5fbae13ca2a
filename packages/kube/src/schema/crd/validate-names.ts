import { type FieldError, invalidField, requiredField } from '../../errors/index.js';
import { dns1035LabelProblems } from '../validation/names.js';
import type { CustomResourceNames } from './custom-resource-definition.js';
import { orEmpty } from './foreign-schema.js';

/** Validates that all names are set, which the spec requires. The accepted names in the status may be empty. */
export function requireNames(names: CustomResourceNames, path: string): FieldError[] {
  return (['plural', 'singular', 'kind', 'listKind'] as const)
    .filter((key) => orEmpty(names[key]) === '')
    .map((key) => requiredField(`${path}.${key}`));
}

export function validateNames(names: CustomResourceNames, path: string): FieldError[] {
  const errors: FieldError[] = [];
  checkLabel(orEmpty(names.plural), `${path}.plural`, errors);
  checkLabel(orEmpty(names.singular), `${path}.singular`, errors);
  checkKind(orEmpty(names.kind), `${path}.kind`, errors);
  checkKind(orEmpty(names.listKind), `${path}.listKind`, errors);
  names.shortNames?.forEach((name, index) => checkListed(name, `${path}.shortNames[${index}]`, errors));
  if (orEmpty(names.kind) !== '' && names.kind === names.listKind) {
    errors.push(invalidField(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same'));
  }
  names.categories?.forEach((name, index) => checkListed(name, `${path}.categories[${index}]`, errors));
  return errors;
}

function checkLabel(name: string, path: string, errors: FieldError[]): void {
  if (name !== '') checkListed(name, path, errors);
}

function checkListed(name: string, path: string, errors: FieldError[]): void {
  const problems = dns1035LabelProblems(name);
  if (problems.length > 0) errors.push(invalidField(path, name, problems.join(',')));
}

function checkKind(kind: string, path: string, errors: FieldError[]): void {
  if (kind === '') return;
  const problems = dns1035LabelProblems(kind.toLowerCase());
  if (problems.length === 0) return;
  errors.push(invalidField(path, kind, `may have mixed case, but should otherwise match: ${problems.join(',')}`));
}
