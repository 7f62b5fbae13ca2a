import { forbidden, type GroupVersionResource, type StatusError } from '@slipway/kube';
import type { AdmissionRequest } from '../contract/index.js';

/** The refusal of a plugin. The object may have no name yet: then the base of its name stands for it. */
export function forbiddenRequestOf(request: AdmissionRequest, why: string): StatusError {
  return forbidden(request.resource, displayName(request), why);
}

function displayName(request: AdmissionRequest): string {
  const metadata = request.object?.metadata;
  return request.name || metadata?.name || metadata?.generateName || 'Unknown';
}

/** Namespaces are in themselves, as far as admission is concerned. */
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

/** Admission's own configuration must stay changeable whatever it says. */
export function isExempt(request: AdmissionRequest): boolean {
  return request.resource.group === registrationGroup && exempt.has(request.resource.resource);
}
