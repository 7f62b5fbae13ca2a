import type { ObjectStore } from '@slipway/apiserver';
import { namespace } from '../world/names.js';
import type { Provider } from '../providers/provider.js';
import type { Infrastructure } from '../world/infrastructure.js';

/** What every namespace has, whatever happens in it, and what tells of the past. */
const residents: ReadonlySet<string> = new Set(['serviceaccounts', 'configmaps', 'events', 'events.k8s.io/events']);

/** What is still there although every cluster was deleted. */
export function leftovers(
  stores: readonly ObjectStore[],
  infrastructure: Infrastructure,
  provider: Provider,
): readonly string[] {
  const left = stores
    .flatMap((store) => [...store.all()])
    .filter(({ key }) => key.namespace === namespace && !residents.has(key.resource))
    .filter(({ key }) => !provider.residents.includes(key.resource))
    .map(({ key }) => `${key.resource} ${key.name}`);
  return infrastructure.size === 0 ? left : [...left, `${infrastructure.size} clusters run`];
}
