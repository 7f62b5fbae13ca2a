import type { ControllerDescriptor } from '@slipway/runtime';
import { createClusterResourceSetBindingController } from './binding-controller.js';
import { createClusterResourceSetController } from './controller.js';

export const clusterResourceSetController: ControllerDescriptor = {
  name: 'clusterresourceset',
  concurrencyDefault: 10,
  create: createClusterResourceSetController,
};

export const clusterResourceSetBindingController: ControllerDescriptor = {
  name: 'clusterresourcesetbinding',
  concurrencyDefault: 10,
  create: createClusterResourceSetBindingController,
};
