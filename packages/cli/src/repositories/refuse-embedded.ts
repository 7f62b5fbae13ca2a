import { providers } from '@slipway/cluster-api';
import { embeddedAnnotation } from '@slipway/clusterctl';
import { isReason } from '@slipway/kube';
import type { Client } from '@slipway/runtime';
import { CliError } from '../errors/index.js';

/**
 * Throws if the server is `slipway up`: its providers are part of its process and cannot be installed, upgraded or deleted
 * separately.
 */
export async function refuseEmbedded(client: Client, remedy: string): Promise<void> {
  if (!(await isEmbedded(client))) return;
  throw new CliError('the management cluster is a `slipway up` process with embedded providers', { remedy });
}

async function isEmbedded(client: Client): Promise<boolean> {
  try {
    const { items } = await client.list(providers);
    return items.some(({ metadata }) => metadata.annotations?.[embeddedAnnotation] !== undefined);
  } catch (error) {
    if (isReason(error, 'NotFound')) return false;
    throw error;
  }
}
