import { type FoundObject, type InstalledProvider, labelOf } from '@slipway/clusterctl';
import { columnsText } from '../../output/index.js';

/** Lists the objects to delete. */
export function objectsText(chosen: readonly InstalledProvider[], objects: readonly FoundObject[]): string {
  if (chosen.length === 0) return 'There are no providers in the cluster.\n';
  const names = chosen.map((provider) => `${labelOf(provider)} ${provider.version}`).join(', ');
  const rows = objects.map(({ resource, namespace, name }) => [
    resource.kind,
    namespace === '' ? '-' : namespace,
    name,
  ]);
  return `Objects of ${names}:\n\n${columnsText(['KIND', 'NAMESPACE', 'NAME'], rows, 3).join('\n')}\n\n`;
}
