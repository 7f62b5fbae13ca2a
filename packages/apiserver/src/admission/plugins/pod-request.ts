import { ensureFields, type Fields, itemsOf, type KubeObject } from '@slipway/kube';
import type { AdmissionRequest, Operation } from '../../contract/index.js';

/** Whether the request writes this resource, not one of its subresources, with one of these operations. */
export function writes(request: AdmissionRequest, resource: string, operations: readonly Operation[]): boolean {
  // Every plugin calls this for every request, so the cheap comparison of the end of the name comes first.
  if (!resource.endsWith(request.resource.resource) || request.subresource !== '') return false;
  return resourceOf(request) === resource && operations.includes(request.operation);
}

/** Returns the name of the store's collection: `pods`, `apps/deployments`. */
export function resourceOf({ resource }: AdmissionRequest): string {
  return resource.group === '' ? resource.resource : `${resource.group}/${resource.resource}`;
}

export function specOf(object: KubeObject): Fields {
  return ensureFields(object, 'spec');
}

/** Returns init containers and containers, without ephemeral containers. */
export function containersOf(spec: Fields): readonly Fields[] {
  return [...itemsOf(spec['initContainers']), ...itemsOf(spec['containers'])];
}
