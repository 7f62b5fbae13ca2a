import { labels } from '@slipway/cluster-api';
import type { Kind } from '@slipway/kube';
import { providerParts } from './provider-parts.js';

const labelByKind = new Map(
  Object.entries(providerParts).flatMap(([label, { kinds }]) => kinds.map((kind) => [kind, label] as const)),
);

/** As clusterctl labels what it installs: by these it finds the kinds that it moves, and the provider of each. */
export function definitionLabels(kind: Kind): Readonly<Record<string, string>> {
  const label = labelByKind.get(kind);
  return label === undefined
    ? { [labels.clusterctlCore]: 'inventory' }
    : { [labels.clusterctl]: '', [labels.provider]: label };
}
