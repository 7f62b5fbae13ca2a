import type { ObjectStore } from '@slipway/apiserver';
import { namespace } from '../objects/names.js';
import type { Provider } from '../providers/provider.js';
import type { Infrastructure } from '../providers/infrastructure.js';

/** Resources with objects in every namespace, and history such as Events. */
const permanentResources: ReadonlySet<string> = new Set([
  'serviceaccounts',
  'configmaps',
  'events',
  'events.k8s.io/events',
]);

/** Returns the objects that still exist although every cluster was deleted. */
export function leftovers(
  stores: readonly ObjectStore[],
  infrastructure: Infrastructure,
  provider: Provider,
): readonly string[] {
  const left = stores
    .flatMap((store) => [...store.all()])
    .filter(({ key }) => key.namespace === namespace && !permanentResources.has(key.resource))
    .filter(({ key }) => !provider.permanentResources.includes(key.resource))
    .map(({ key }) => `${key.resource} ${key.name}`);
  return infrastructure.size === 0 ? left : [...left, `${infrastructure.size} clusters run`];
}
