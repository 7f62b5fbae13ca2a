import { isFields, listAt, quoteGo, recordAt, textAt } from '@slipway/kube';

export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

export interface Subject {
  readonly kind: string;
  readonly apiGroup: string;
  readonly name: string;
  readonly namespace: string;
}

export interface Binding {
  readonly name: string;
  /** Empty for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

export function readBinding(object: unknown): Binding {
  const metadata = recordAt(object, 'metadata');
  return {
    name: textAt(metadata, 'name'),
    namespace: textAt(metadata, 'namespace'),
    roleRef: readRoleRef(object),
    subjects: listAt(object, 'subjects').filter(isFields).map(readSubject),
  };
}

export function readRoleRef(binding: unknown): RoleRef {
  const ref = recordAt(binding, 'roleRef');
  return { apiGroup: textAt(ref, 'apiGroup'), kind: textAt(ref, 'kind'), name: textAt(ref, 'name') };
}

export function readSubject(subject: unknown): Subject {
  return {
    kind: textAt(subject, 'kind'),
    apiGroup: textAt(subject, 'apiGroup'),
    name: textAt(subject, 'name'),
    namespace: textAt(subject, 'namespace'),
  };
}

export const userKey = (username: string): string => `u:${username}`;
export const groupKey = (group: string): string => `g:${group}`;

/** Returns the key of a subject in the RBAC index. A ServiceAccount has the key of its user name. */
export function subjectKey(subject: Subject, bindingNamespace: string): string | undefined {
  switch (subject.kind) {
    case 'User':
      return userKey(subject.name);
    case 'Group':
      return groupKey(subject.name);
    case 'ServiceAccount': {
      const namespace = subject.namespace || bindingNamespace;
      return namespace === '' ? undefined : userKey(`system:serviceaccount:${namespace}:${subject.name}`);
    }
    default:
      return undefined;
  }
}

/**
 * Formats a binding as `ClusterRoleBinding "b" of ClusterRole "r" to User "u"`. Like upstream, appends the namespace to the name.
 */
export function describeBinding(binding: Binding, subject: Subject): string {
  const cluster = binding.namespace === '';
  const kind = cluster ? 'ClusterRoleBinding' : 'RoleBinding';
  const name = cluster ? binding.name : `${binding.name}/${binding.namespace}`;
  const role = `${binding.roleRef.kind} ${quoteGo(binding.roleRef.name)}`;
  return `${kind} ${quoteGo(name)} of ${role} to ${describeSubject(subject, binding.namespace)}`;
}

function describeSubject(subject: Subject, bindingNamespace: string): string {
  const name =
    subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || bindingNamespace}` : subject.name;
  return `${subject.kind} ${quoteGo(name)}`;
}
