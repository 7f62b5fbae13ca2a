import type { Step } from '../script.js';

export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export interface Names {
  readonly plural: string;
  readonly kind: string;
}

export const definition = (names: Names, versions: readonly object[], more: object = {}, metadata: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${names.plural}.example.com`, ...metadata },
  spec: { group: 'example.com', scope: 'Namespaced', names, versions, ...more },
});

export const version = (name: string, properties: object, more: object = {}) => ({
  name,
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties } },
  ...more,
});

/** Waits for the conditions of the CRD. Discovery and serving follow later. */
export const established = (name: string): Step => ({
  name: `${name} is established`,
  until: `${definitions}/${name}.example.com`,
  field: 'status.conditions.1.status',
  equals: 'True',
});
