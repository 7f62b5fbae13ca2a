import type { CustomResourceDefinition } from '@slipway/kube';
import { clusterResource } from './define.js';

export const customResourceDefinitions = clusterResource<CustomResourceDefinition>(
  'apiextensions.k8s.io',
  'v1',
  'CustomResourceDefinition',
  'customresourcedefinitions',
);
