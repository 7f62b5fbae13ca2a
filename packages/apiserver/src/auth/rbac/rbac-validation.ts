import { type FieldError, invalidField, notSupported, requiredField } from '@slipway/kube';
import { isRecord, listAt, recordAt, textsAt } from '../fields.js';
import { readRoleRef, readSubject, type Subject } from './binding.js';
import { rbacGroup } from './rbac-index.js';

/** RBAC names are anything that fits one segment of a path: `system:node` is one. */
export function validatePathSegment(name: string): readonly string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((sign) => name.includes(sign)).map((sign) => `may not contain '${sign}'`);
}

export function validateRole(role: unknown, namespaced: boolean): FieldError[] {
  const errors = listAt(role, 'rules').flatMap((rule, index) => validateRule(rule, namespaced, `rules[${index}]`));
  return namespaced ? errors : [...errors, ...validateAggregationRule(role)];
}

function validateRule(rule: unknown, namespaced: boolean, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (textsAt(rule, 'verbs').length === 0)
    errors.push(requiredField(`${field}.verbs`, 'verbs must contain at least one value'));
  const urls = textsAt(rule, 'nonResourceURLs');
  if (urls.length > 0) return [...errors, ...validateUrlRule(rule, urls, namespaced, `${field}.nonResourceURLs`)];
  if (textsAt(rule, 'apiGroups').length === 0)
    errors.push(requiredField(`${field}.apiGroups`, 'resource rules must supply at least one api group'));
  if (textsAt(rule, 'resources').length === 0)
    errors.push(requiredField(`${field}.resources`, 'resource rules must supply at least one resource'));
  return errors;
}

function validateUrlRule(rule: unknown, urls: readonly string[], namespaced: boolean, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (namespaced) errors.push(invalidField(field, urls, 'namespaced rules cannot apply to non-resource URLs'));
  if (['apiGroups', 'resources', 'resourceNames'].some((key) => textsAt(rule, key).length > 0))
    errors.push(invalidField(field, urls, 'rules cannot apply to both regular resources and non-resource URLs'));
  return errors;
}

function validateAggregationRule(role: unknown): FieldError[] {
  const aggregation = recordAt(role, 'aggregationRule');
  if (aggregation === undefined || listAt(aggregation, 'clusterRoleSelectors').length > 0) return [];
  return [
    requiredField(
      'aggregationRule.clusterRoleSelectors',
      'at least one clusterRoleSelector required if aggregationRule is non-nil',
    ),
  ];
}

export function validateBinding(binding: unknown, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const ref = readRoleRef(binding);
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (ref.apiGroup !== rbacGroup) errors.push(notSupported('roleRef.apiGroup', ref.apiGroup, [rbacGroup]));
  if (!kinds.includes(ref.kind)) errors.push(notSupported('roleRef.kind', ref.kind, kinds));
  if (ref.name === '') errors.push(requiredField('roleRef.name'));
  else errors.push(...validatePathSegment(ref.name).map((text) => invalidField('roleRef.name', ref.name, text)));
  const subjects = listAt(binding, 'subjects').filter(isRecord).map(readSubject);
  return [
    ...errors,
    ...subjects.flatMap((subject, index) => validateSubject(subject, namespaced, `subjects[${index}]`)),
  ];
}

function validateSubject(subject: Subject, namespaced: boolean, field: string): FieldError[] {
  const errors: FieldError[] = subject.name === '' ? [requiredField(`${field}.name`)] : [];
  switch (subject.kind) {
    case 'ServiceAccount':
      return [...errors, ...validateServiceAccount(subject, namespaced, field)];
    case 'User':
    case 'Group':
      if (subject.apiGroup !== rbacGroup) errors.push(notSupported(`${field}.apiGroup`, subject.apiGroup, [rbacGroup]));
      return errors;
    default:
      return [...errors, notSupported(`${field}.kind`, subject.kind, ['ServiceAccount', 'User', 'Group'])];
  }
}

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

function validateServiceAccount(subject: Subject, namespaced: boolean, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const { name } = subject;
  if (name.length > 253) errors.push(invalidField(`${field}.name`, name, 'must be no more than 253 bytes'));
  else if (name !== '' && !subdomain.test(name)) errors.push(invalidField(`${field}.name`, name, subdomainText));
  if (subject.apiGroup !== '') errors.push(notSupported(`${field}.apiGroup`, subject.apiGroup, ['']));
  if (!namespaced && subject.namespace === '') errors.push(requiredField(`${field}.namespace`));
  return errors;
}
