import { textAt } from '@slipway/cluster-api';
import { type Observed, refOf } from '@slipway/insight';
import { toneOf } from '../cluster/tones.js';
import type { ProviderView } from '../model/infrastructure.js';
import { problemOf } from './kind-view.js';

/** Returns the installed providers. The clusterctl inventory object and the operator object of a provider share one row. */
export function providersOf(
  inventory: readonly Observed[],
  objects: readonly Observed[],
): Record<string, Omit<ProviderView, 'outlook'>> {
  const rows = new Map<string, Omit<ProviderView, 'outlook'>>();
  for (const entry of inventory) {
    const [type, name] = [textAt(entry, 'type') ?? '', textAt(entry, 'providerName') ?? ''];
    const { namespace } = refOf(entry);
    const installed = textAt(entry, 'version') ?? '';
    rows.set(keyOf(type, namespace, name), {
      type,
      namespace,
      name,
      installed,
      wanted: '',
      tone: toneOf(entry),
      why: '',
    });
  }
  for (const object of objects) {
    const { kind: type, namespace, name } = refOf(object);
    const key = keyOf(type, namespace, name);
    const installed = textAt(object, 'status', 'installedVersion') ?? rows.get(key)?.installed ?? '';
    const wanted = textAt(object, 'spec', 'version') ?? '';
    rows.set(key, {
      type,
      namespace,
      name,
      installed,
      // Compare versions without the `v` prefix.
      wanted: wanted.replace(/^v/, '') === installed.replace(/^v/, '') ? '' : wanted,
      tone: toneOf(object),
      why: problemOf(object),
    });
  }
  return Object.fromEntries([...rows].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function keyOf(type: string, namespace: string, name: string): string {
  return `${type} ${namespace}/${name}`;
}
