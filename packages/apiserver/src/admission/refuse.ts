import { forbidden, type GroupVersionResource, type StatusError } from '@slipway/kube';
import type { AdmissionRequest } from '../contract/index.js';

/** The 403 of a plugin. Uses generateName if the object has no name yet. */
export function forbiddenRequestOf(request: AdmissionRequest, why: string): StatusError {
  return forbidden(request.resource, displayName(request), why);
}

function displayName(request: AdmissionRequest): string {
  const metadata = request.object?.metadata;
  return request.name || metadata?.name || metadata?.generateName || 'Unknown';
}

/** In admission, a Namespace object has its own name as namespace. */
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

/** Webhooks and policies do not apply to admission configuration, which must always stay writable. */
export function isExempt(request: AdmissionRequest): boolean {
  return request.resource.group === registrationGroup && exempt.has(request.resource.resource);
}
