import { duplicateField, type FieldError, invalidField, requiredField } from '@slipway/kube';
import { fields, type Fields, fill, has, list, text } from '../shared/fields.js';
import { ageColumn, type Column, column, nameColumn, printer } from '../shared/table.js';
import { dnsSubdomain, optionalOneOf, validateSelector } from '../shared/validation.js';
import { policyExpressions } from './expressions.js';
import { validateMatchConditions, validateRule } from './webhooks.js';

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;
const identifierText = 'name is not a valid CEL identifier';

/** Sets the defaults of the match resources of a policy or binding. */
export function defaultMatch(resources: unknown): void {
  if (!has(resources)) return;
  fill(resources, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} });
  for (const key of ['resourceRules', 'excludeResourceRules'])
    for (const rule of list(resources[key])) fill(rule, { scope: '*' });
}

function validateMatch(resources: Fields, path: string): FieldError[] {
  return [
    ...validateSelector(resources.namespaceSelector, `${path}.namespaceSelector`),
    ...validateSelector(resources.objectSelector, `${path}.objectSelector`),
    ...optionalOneOf(`${path}.matchPolicy`, resources.matchPolicy, ['Equivalent', 'Exact']),
    ...['resourceRules', 'excludeResourceRules'].flatMap((key) =>
      list(resources[key]).flatMap((rule, index) => validateRule(rule, `${path}.${key}[${index}]`)),
    ),
  ];
}

/** Validates the fields that validating and mutating policies share. */
export function validatePolicySpec(spec: Fields): FieldError[] {
  const errors: FieldError[] = optionalOneOf('spec.failurePolicy', spec.failurePolicy, ['Fail', 'Ignore']);
  if (has(spec.paramKind)) {
    for (const key of ['apiVersion', 'kind'])
      if (text(spec.paramKind[key]) === '') errors.push(requiredField(`spec.paramKind.${key}`));
  }
  const match = fields(spec.matchConstraints);
  if (spec.matchConstraints === undefined) errors.push(requiredField('spec.matchConstraints'));
  else if (list(match.resourceRules).length === 0) errors.push(requiredField('spec.matchConstraints.resourceRules'));
  return [
    ...errors,
    ...validateMatch(match, 'spec.matchConstraints'),
    ...validateMatchConditions(list(spec.matchConditions), 'spec.matchConditions', has(spec.paramKind)),
    ...validateVariables(list(spec.variables)),
    ...policyExpressions(spec).errors,
  ];
}

function validateVariables(variables: readonly Fields[]): FieldError[] {
  const seen = new Set<string>();
  return variables.flatMap((variable, index) => {
    const path = `spec.variables[${index}]`;
    const name = text(variable.name);
    const errors: FieldError[] = [];
    if (name === '') errors.push(requiredField(`${path}.name`));
    else if (!identifier.test(name)) errors.push(invalidField(`${path}.name`, name, identifierText));
    if (seen.has(name)) errors.push(duplicateField(`${path}.name`, name));
    seen.add(name);
    if (text(variable.expression).trim() === '') errors.push(requiredField(`${path}.expression`));
    return errors;
  });
}

export function validateBindingSpec(spec: Fields): FieldError[] {
  const errors: FieldError[] = [];
  if (text(spec.policyName) === '') errors.push(requiredField('spec.policyName'));
  else errors.push(...dnsSubdomain('spec.policyName', spec.policyName));
  if (has(spec.paramRef)) errors.push(...validateParamRef(spec.paramRef));
  return [...errors, ...validateMatch(fields(spec.matchResources), 'spec.matchResources')];
}

function validateParamRef(reference: Fields): FieldError[] {
  const errors: FieldError[] = [];
  const [name, selector] = [text(reference.name), reference.selector];
  if (name !== '' && selector !== undefined) {
    errors.push({
      reason: 'FieldValueForbidden',
      field: 'spec.paramRef.name',
      message: 'Forbidden: name and selector are mutually exclusive',
    });
  } else if (name === '' && selector === undefined) {
    errors.push(requiredField('spec.paramRef', 'one of name or selector must be specified'));
  }
  if (reference.parameterNotFoundAction === undefined) {
    errors.push(requiredField('spec.paramRef.parameterNotFoundAction'));
  }
  return [
    ...errors,
    ...optionalOneOf('spec.paramRef.parameterNotFoundAction', reference.parameterNotFoundAction, ['Deny', 'Allow']),
  ];
}

const paramKind: Column = column('ParamKind', ({ spec }) => {
  const kind = fields(spec).paramKind;
  return has(kind) ? `${text(kind.apiVersion)}/${text(kind.kind)}` : '<unset>';
});

/** Returns the table of policies. `key` is the list whose items are counted. */
export function policyTable(title: string, key: string): ReturnType<typeof printer> {
  return printer([
    nameColumn,
    column(title, ({ spec }) => list(fields(spec)[key]).length, 'integer'),
    paramKind,
    ageColumn,
  ]);
}

export const bindingTable = printer([
  nameColumn,
  column('PolicyName', ({ spec }) => text(fields(spec).policyName)),
  column('ParamRef', ({ spec }) => {
    const reference = fields(spec).paramRef;
    if (!has(reference)) return '<unset>';
    const name = text(reference.name) || '*';
    return text(reference.namespace) === '' ? name : `${text(reference.namespace)}/${name}`;
  }),
  ageColumn,
]);
