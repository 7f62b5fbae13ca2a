import { providers } from '@slipway/cluster-api';
import { type InstalledProvider, labelOf, writeInventory } from '@slipway/clusterctl';
import { type Client, ifPresent, type RequestOptions } from '@slipway/runtime';

/** Enters a provider where clusterctl keeps its list, if there is one: `move` and `upgrade plan` look there. */
export async function enterInventory(
  client: Client,
  provider: InstalledProvider,
  options: RequestOptions,
): Promise<void> {
  if (await isKept(client)) await writeInventory(client, provider, options);
}

export async function leaveInventory(
  client: Client,
  provider: InstalledProvider,
  options: RequestOptions,
): Promise<void> {
  if (!(await isKept(client))) return;
  const key = { namespace: provider.namespace, name: labelOf(provider) };
  await ifPresent(client.delete(providers, key, options));
}

async function isKept(client: Client): Promise<boolean> {
  return (await client.resourceFor(providers)) !== undefined;
}
