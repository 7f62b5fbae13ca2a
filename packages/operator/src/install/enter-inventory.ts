import { providers } from '@slipway/cluster-api';
import { type InstalledProvider, labelOf, writeInventory } from '@slipway/clusterctl';
import type { Reader, Writer } from '@slipway/runtime';

/** Adds a provider to the clusterctl inventory, if its CRD exists. `move` and `upgrade plan` read the inventory. */
export async function enterInventory(
  writer: Pick<Writer, 'read' | 'change'>,
  provider: InstalledProvider,
): Promise<void> {
  if (await isKept(writer.read)) await writeInventory(writer, provider);
}

export async function leaveInventory(
  writer: Pick<Writer, 'read' | 'change'>,
  provider: InstalledProvider,
): Promise<void> {
  if (!(await isKept(writer.read))) return;
  const key = { namespace: provider.namespace, name: labelOf(provider) };
  const message = `Removed ${key.name} from the inventory: it is being deleted`;
  await writer.change({ verb: 'delete', resource: providers, key, reason: 'ProviderDeleted', message });
}

async function isKept(read: Reader): Promise<boolean> {
  return (await read.resourceFor(providers)) !== undefined;
}
