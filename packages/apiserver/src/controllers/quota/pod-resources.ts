import { parseQuantity } from '@slipway/kube';
import { fields, type Fields, list } from '../../kinds/shared/fields.js';
import { add, type Amounts, amountsOf, largest, nothing } from './amounts.js';

/**
 * Returns the maximum resource usage of a pod: the sum of its containers, or an init container plus the sidecars that run at that
 * time, whichever is larger, plus the runtime overhead.
 */
export function podResources(spec: Fields, which: 'requests' | 'limits'): Amounts {
  const of = (container: Fields): Amounts => amountsOf(fields(container['resources'])[which]);
  let running: Amounts = list(spec['containers']).map(of).reduce<Amounts>(add, nothing);
  let sidecars: Amounts = nothing;
  let starting: Amounts = nothing;
  for (const container of list(spec['initContainers'])) {
    if (container['restartPolicy'] === 'Always') {
      running = add(running, of(container));
      sidecars = add(sidecars, of(container));
      starting = largest(starting, sidecars);
    } else starting = largest(starting, add(sidecars, of(container)));
  }
  const total = largest(running, starting);
  const overhead = amountsOf(spec['overhead']);
  if (which === 'requests') return add(total, overhead);
  // Overhead is added only to resources that have a limit: an unset limit stays unset.
  return new Map([...total].map(([name, quantity]) => [name, plus(quantity, overhead.get(name))]));
}

type Quantity = ReturnType<typeof parseQuantity>;

function plus(quantity: Quantity, extra: Quantity | undefined): Quantity {
  return extra === undefined ? quantity : { nanos: quantity.nanos + extra.nanos, format: quantity.format };
}

const constrained: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'requests.cpu',
  'requests.memory',
  'limits.cpu',
  'limits.memory',
]);

/**
 * Checks that every container specifies the cpu and memory that the quota limits. Returns the error in upstream's wording, or
 * undefined.
 */
export function missingRequirements(spec: Fields, hard: Iterable<string>): string | undefined {
  const missing = new Map<string, Set<string>>();
  for (const name of hard) {
    if (!constrained.has(name)) continue;
    const [which, resource] = name.startsWith('limits.')
      ? (['limits', name.slice('limits.'.length)] as const)
      : (['requests', name.replace(/^requests\./, '')] as const);
    for (const container of [...list(spec['containers']), ...list(spec['initContainers'])]) {
      if (fields(fields(container['resources'])[which])[resource] !== undefined) continue;
      missing.set(name, (missing.get(name) ?? new Set()).add(String(container['name'])));
    }
  }
  if (missing.size === 0) return undefined;
  const texts = [...missing.keys()]
    .sort()
    .map((name) => `${name} for: ${[...(missing.get(name) ?? [])].sort().join(',')}`);
  return `must specify ${texts.join('; ')}`;
}
