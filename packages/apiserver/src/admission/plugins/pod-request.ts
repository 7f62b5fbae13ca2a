import type { KubeObject } from '@slipway/kube';
import type { AdmissionRequest, Operation } from '../admission.js';
import { type Fields, fieldsAt, itemsOf } from '../fields.js';

/** Whether the request writes objects of a resource, not one of its subresources, by one of these operations. */
export function writes(request: AdmissionRequest, resource: string, operations: readonly Operation[]): boolean {
  const name =
    request.resource.group === ''
      ? request.resource.resource
      : `${request.resource.group}/${request.resource.resource}`;
  return name === resource && request.subresource === '' && operations.includes(request.operation);
}

export function specOf(object: KubeObject): Fields {
  return fieldsAt(object, 'spec');
}

/** Containers that run from the start; those added for debugging come later. */
export function containersOf(spec: Fields): readonly Fields[] {
  return [...itemsOf(spec['initContainers']), ...itemsOf(spec['containers'])];
}
