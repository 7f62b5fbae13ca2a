import { ensureFields, type Fields, itemsOf, type KubeObject } from '@slipway/kube';
import type { AdmissionRequest, Operation } from '../../contract/index.js';

/** Whether the request writes objects of a resource, not one of its subresources, by one of these operations. */
export function writes(request: AdmissionRequest, resource: string, operations: readonly Operation[]): boolean {
  // Every plugin asks this of every request: most answers need no more than the end of the name.
  if (!resource.endsWith(request.resource.resource) || request.subresource !== '') return false;
  return resourceOf(request) === resource && operations.includes(request.operation);
}

/** `pods`, `apps/deployments`: as collections are called in the store. */
export function resourceOf({ resource }: AdmissionRequest): string {
  return resource.group === '' ? resource.resource : `${resource.group}/${resource.resource}`;
}

export function specOf(object: KubeObject): Fields {
  return ensureFields(object, 'spec');
}

/** Containers that run from the start; those added for debugging come later. */
export function containersOf(spec: Fields): readonly Fields[] {
  return [...itemsOf(spec['initContainers']), ...itemsOf(spec['containers'])];
}
