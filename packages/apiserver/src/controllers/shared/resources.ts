import { asJson, asObject, cloneJson, type Frozen, type KubeObject } from '@slipway/kube';
import type { ResourceRef } from '../../registry/index.js';
import type { ResourceDefinition } from '../../contract/index.js';

function core(resource: string): ResourceRef {
  return { group: '', version: 'v1', resource };
}

export const coreResources = {
  configMaps: core('configmaps'),
  endpoints: core('endpoints'),
  events: core('events'),
  limitRanges: core('limitranges'),
  namespaces: core('namespaces'),
  persistentVolumeClaims: core('persistentvolumeclaims'),
  pods: core('pods'),
  resourceQuotas: core('resourcequotas'),
  secrets: core('secrets'),
  serviceAccounts: core('serviceaccounts'),
  services: core('services'),
} as const;

export const clusterRoles: ResourceRef = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  resource: 'clusterroles',
};
export const signingRequests: ResourceRef = {
  group: 'certificates.k8s.io',
  version: 'v1',
  resource: 'certificatesigningrequests',
};
export const endpointSlices: ResourceRef = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };
export const apiServices: ResourceRef = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' };
export const disruptionBudgets: ResourceRef = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' };

/** Returns the name of the collection in the store. */
export function storageOf(ref: ResourceRef): string {
  return ref.group === '' ? ref.resource : `${ref.group}/${ref.resource}`;
}

/** Returns a mutable copy: stored objects are shared and frozen. */
export function thaw(object: Frozen<KubeObject>): KubeObject {
  return asObject(cloneJson(asJson(object)));
}

export function isTerminating(object: Frozen<KubeObject>): boolean {
  return (object.metadata.deletionTimestamp ?? '') !== '';
}

/** Returns a reference to the storage version, which avoids conversion, or to the first served version if it is not served. */
export function servedRef(definition: ResourceDefinition): ResourceRef {
  const { group, plural, storageVersion, versions } = definition;
  const served = versions.filter((version) => version.served).map(({ name }) => name);
  return { group, resource: plural, version: served.includes(storageVersion) ? storageVersion : (served[0] ?? '') };
}
