import { labelOf, type ProviderComponents } from '@slipway/clusterctl';
import { columnsText } from '../../output/index.js';

export const welcome = `
Your management cluster has been initialized successfully!

You can now create your first workload cluster by running the following:

  slipway create cluster [name] --infrastructure [provider]

`;

export function providersText(queue: readonly ProviderComponents[]): string {
  const rows = queue.map(({ provider, objects }) => [
    labelOf(provider),
    provider.type,
    provider.version,
    provider.namespace,
    String(objects.length),
  ]);
  return `${columnsText(['NAME', 'TYPE', 'VERSION', 'NAMESPACE', 'OBJECTS'], rows, 3).join('\n')}\n`;
}
