import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { listenOn, systemClock } from '@slipway/base';
import type { Backend } from '../engine/index.js';
import { Balancer } from './balancer.js';

export interface BalancerFile {
  readonly listen: Backend;
  readonly backends: readonly Backend[];
}

export const balancerFile = 'balancer.json';

/**
 * Runs the load balancer in the network of a cluster as long as the cluster exists. Forwards to the API servers listed in a file.
 */
export async function runBalancer(directory: string): Promise<Server> {
  const read = async (): Promise<BalancerFile> =>
    JSON.parse(await readFile(join(directory, balancerFile), 'utf8')) as BalancerFile;
  const first = await read();
  const balancer = new Balancer(first.backends, systemClock);
  // Watch the directory, because the file is replaced by a rename.
  const watcher = watch(directory, (_event, name) => {
    if (name === balancerFile)
      void read().then(
        ({ backends }) => balancer.use(backends),
        () => undefined,
      );
  });
  // Continue with the last known servers: without the load balancer the cluster has no endpoint.
  watcher.on('error', () => undefined);
  const server = createServer({ allowHalfOpen: true }, (client) => void balancer.serve(client));
  await listenOn(server, first.listen, () => undefined);
  return server;
}
