import { type ProviderType, providerTypes } from '@slipway/clusterctl';
import type { Sources } from '@slipway/runtime';
import { type FrozenProvider, providerResources } from './index.js';

/** Returns all providers of a type from the cache. */
export function providersOf(sources: Sources, type: ProviderType): readonly FrozenProvider[] {
  return [...sources.sourceFor(providerResources[type]).list()];
}

export function allProviders(sources: Sources): readonly FrozenProvider[] {
  return providerTypes.flatMap((type) => providersOf(sources, type));
}

export function isSameObject(left: FrozenProvider, right: FrozenProvider): boolean {
  return (
    left.kind === right.kind &&
    left.metadata.namespace === right.metadata.namespace &&
    left.metadata.name === right.metadata.name
  );
}
