import { type Controller, type ControllerContext, createController } from '@slipway/runtime';
import { clusterClasses } from '../api/index.js';
import { definitionsWatch } from '../contract/index.js';
import { reconcileClass } from './reconcile.js';

export function createClusterClassController({ concurrency, watchFilter }: ControllerContext): Controller {
  return createController({
    name: 'clusterclass',
    for: clusterClasses,
    filter: watchFilter,
    watches: [definitionsWatch],
    concurrency,
    reconcile: (key, context) => reconcileClass(key, context, undefined),
  });
}
