import { providers } from '@slipway/cluster-api';
import { embeddedAnnotation } from '@slipway/clusterctl';
import { isReason } from '@slipway/kube';
import type { Client } from '@slipway/runtime';
import { CliError } from '../errors/index.js';

/** The providers of `slipway up` are part of its process: nothing can be done to them from outside. */
export async function refuseEmbedded(client: Client, how: string): Promise<void> {
  if (!(await isEmbedded(client))) return;
  throw new CliError('this is `slipway up`, whose providers are part of it', { remedy: `they are ${how}` });
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
