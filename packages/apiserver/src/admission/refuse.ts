import { forbidden, type GroupVersionResource, type StatusError } from '@slipway/kube';
import type { AdmissionRequest } from '../contract/index.js';

/** Returns the 403 error of a plugin. The error contains generateName if the object has no name yet. */
export function forbiddenRequestOf(request: AdmissionRequest, why: string): StatusError {
  return forbidden(request.resource, displayName(request), why);
}

function displayName(request: AdmissionRequest): string {
  const metadata = request.object?.metadata;
  return request.name || metadata?.name || metadata?.generateName || 'Unknown';
}

/** Returns the namespace of the request for admission. For a Namespace object it is the name of the object. */
export function admissionNamespace(request: AdmissionRequest): string {
  return isNamespace(request.resource) ? request.name : request.namespace;
}

export function isNamespace(resource: GroupVersionResource): boolean {
  return resource.group === '' && resource.resource === 'namespaces';
}

const registrationGroup = 'admissionregistration.k8s.io';
const exempt = new Set([
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
]);

/**
 * Whether the request writes admission configuration. Webhooks and policies do not apply to it, so that it always stays writable.
 */
export function isExempt(request: AdmissionRequest): boolean {
  return request.resource.group === registrationGroup && exempt.has(request.resource.resource);
}
