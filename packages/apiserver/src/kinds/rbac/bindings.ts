import { checkPathSegment, deepEqual, type FieldError, notSupported, requiredField } from '@slipway/kube';
import { child, fields, type Fields, fill, list, text } from '../shared/fields.js';
import { type Column, ageColumn, column, nameColumn, printer, wide } from '../shared/table.js';
import { dnsSubdomain, invalidStruct, problems } from '../shared/validation.js';

const rbacGroup = 'rbac.authorization.k8s.io';

export function defaultBinding(binding: Fields): void {
  fill(child(binding, 'roleRef'), { apiGroup: rbacGroup });
  for (const subject of list(binding.subjects)) {
    if (subject.kind === 'User' || subject.kind === 'Group') fill(subject, { apiGroup: rbacGroup });
  }
}

export function validateBinding(binding: Fields, namespaced: boolean): FieldError[] {
  const role = fields(binding.roleRef);
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const errors: FieldError[] = [];
  if (role.apiGroup !== rbacGroup) errors.push(notSupported('roleRef.apiGroup', text(role.apiGroup), [rbacGroup]));
  if (!kinds.includes(text(role.kind))) errors.push(notSupported('roleRef.kind', text(role.kind), kinds));
  if (text(role.name) === '') errors.push(requiredField('roleRef.name'));
  else errors.push(...problems('roleRef.name', role.name, checkPathSegment(text(role.name))));
  return [
    ...errors,
    ...list(binding.subjects).flatMap((subject, index) => validateSubject(subject, namespaced, `subjects[${index}]`)),
  ];
}

function validateSubject(subject: Fields, namespaced: boolean, path: string): FieldError[] {
  const [name, kind, group] = [text(subject.name), text(subject.kind), text(subject.apiGroup)];
  const errors: FieldError[] = name === '' ? [requiredField(`${path}.name`)] : [];
  if (kind === 'ServiceAccount') {
    if (name !== '') errors.push(...dnsSubdomain(`${path}.name`, name));
    if (group !== '') errors.push(notSupported(`${path}.apiGroup`, group, ['']));
    if (!namespaced && text(subject.namespace) === '') errors.push(requiredField(`${path}.namespace`));
  } else if (kind === 'User' || kind === 'Group') {
    if (group !== rbacGroup) errors.push(notSupported(`${path}.apiGroup`, group, [rbacGroup]));
  } else errors.push(notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group']));
  return errors;
}

export function validateBindingUpdate(binding: Fields, old: Fields): FieldError[] {
  if (deepEqual(binding.roleRef, old.roleRef)) return [];
  const { apiGroup, kind, name } = fields(binding.roleRef);
  // Upstream prints its internal Go type here.
  const shown = { APIGroup: text(apiGroup), Kind: text(kind), Name: text(name) };
  return [invalidStruct('roleRef', shown, 'cannot change roleRef')];
}

function subjectsOf(kind: string): Column['cell'] {
  return (binding) =>
    list(binding.subjects)
      .filter((subject) => subject.kind === kind)
      .map(({ name, namespace }) => (kind === 'ServiceAccount' ? `${text(namespace)}/${text(name)}` : text(name)))
      .join(', ');
}

export const bindingTable = printer([
  nameColumn,
  column('Role', ({ roleRef }) => `${text(fields(roleRef).kind)}/${text(fields(roleRef).name)}`),
  ageColumn,
  wide('Users', subjectsOf('User')),
  wide('Groups', subjectsOf('Group')),
  wide('ServiceAccounts', subjectsOf('ServiceAccount')),
]);
