import { type FieldError, invalidField, requiredField } from '../../errors/index.js';
import type { CustomResourceDefinition } from './custom-resource-definition.js';

const annotation = 'api-approved.kubernetes.io';
const reference = 'see https://github.com/kubernetes/enhancements/pull/1111';

type ApiApproval = 'Approved' | 'Bypassed' | 'Missing' | 'Invalid';

/**
 * Returns whether a group is reserved for the Kubernetes community, so that its CRDs need an approval. `x-k8s.io` is not
 * reserved.
 */
function isProtectedGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

/** Returns the state of the approval annotation and its explanation, which is also the message of the CRD's condition. */
function apiApprovalOf(annotations: Readonly<Record<string, string>> | undefined): {
  readonly state: ApiApproval;
  readonly message: string;
} {
  const value = annotations?.[annotation] ?? '';
  const required = `protected groups must have approval annotation "${annotation}"`;
  if (value === '') return { state: 'Missing', message: `${required}, ${reference}` };
  if (value.startsWith('unapproved')) return { state: 'Bypassed', message: `not approved: ${JSON.stringify(value)}` };
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/\s]+/.test(value)) return { state: 'Approved', message: `approved in ${value}` };
  const message = `${required} with either a URL or a reason starting with "unapproved", ${reference}`;
  return { state: 'Invalid', message };
}

/**
 * Validates the approval annotation. Does not report an unchanged state, so that other fields can be edited without fixing it.
 */
export function validateApiApproval(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  if (!isProtectedGroup(definition.spec.group)) return [];
  const { annotations } = definition.metadata;
  const { state, message } = apiApprovalOf(annotations);
  if (old !== undefined && apiApprovalOf(old.metadata.annotations).state === state) return [];
  const path = `metadata.annotations[${annotation}]`;
  if (state === 'Missing') return [requiredField(path, message)];
  return state === 'Invalid' ? [invalidField(path, annotations?.[annotation], message)] : [];
}
