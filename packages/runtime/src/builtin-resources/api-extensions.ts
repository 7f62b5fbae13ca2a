import type { CustomResourceDefinition as Declared } from '@slipway/kube';
import { clusterResource } from './define.js';

/** The declaration of the object model, spelled as a type: only those may carry fields that are not declared. */
export type CustomResourceDefinition = Pick<Declared, keyof Declared>;
export const customResourceDefinitions = clusterResource<CustomResourceDefinition>(
  'apiextensions.k8s.io',
  'v1',
  'CustomResourceDefinition',
  'customresourcedefinitions',
);
