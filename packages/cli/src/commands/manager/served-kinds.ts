import type { Client, Resource } from '@slipway/runtime';
import { CliError } from '../../errors/index.js';

/** Caches of kinds that nobody serves would never fill. */
export async function checkServed(client: Client, watched: readonly Resource[]): Promise<void> {
  const found = await Promise.all(
    watched.map(async (resource) => ({ resource, served: (await client.resourceFor(resource)) !== undefined })),
  );
  const missing = found.filter(({ served }) => !served).map(({ resource }) => resource);
  if (missing.length === 0) return;
  const names = missing.map(({ kind, group, version }) => `${kind} (${group === '' ? '' : `${group}/`}${version})`);
  throw new CliError(`the server does not serve ${names.join(', ')}`, {
    remedy: 'run with --install-crds to install the definitions that are missing',
  });
}
