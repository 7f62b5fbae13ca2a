import type { KindSet } from '@slipway/plane';
import type { ControllerSet } from '@slipway/runtime';
import {
  bindAdmission,
  clusterApiAdmission,
  clusterApiControllers,
  clusterApiConversions,
  clusterApiKinds,
  contractVersionsFrom,
  createConverters,
  featureGateDefaults,
  type FindDefinition,
} from '../src/index.js';

/** Returns the kinds of this package, with their admission and conversions. */
export function testKinds(find: FindDefinition): KindSet {
  return {
    name: 'test',
    kinds: clusterApiKinds,
    converters: createConverters(clusterApiConversions, contractVersionsFrom(find)),
    rules: bindAdmission(clusterApiAdmission, featureGateDefaults),
  };
}

/** Returns only the core controllers of these names. The test does the work of the others. */
export function onlyControllers(...names: readonly string[]): ControllerSet {
  const controllers = clusterApiControllers.controllers.filter(({ name }) => names.includes(name));
  return { ...clusterApiControllers, controllers };
}
