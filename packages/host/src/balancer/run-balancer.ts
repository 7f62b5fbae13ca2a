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

/** Runs in the network of a cluster, for as long as the cluster lives: forwards to the API servers that the file names. */
export async function runBalancer(directory: string): Promise<Server> {
  const read = async (): Promise<BalancerFile> =>
    JSON.parse(await readFile(join(directory, balancerFile), 'utf8')) as BalancerFile;
  const first = await read();
  const balancer = new Balancer(first.backends, systemClock);
  // The folder, not the file: it is replaced as a whole.
  const watcher = watch(directory, (_event, name) => {
    if (name === balancerFile)
      void read().then(
        ({ backends }) => balancer.use(backends),
        () => undefined,
      );
  });
  // It goes on with the servers that it knows: without it the cluster has no address.
  watcher.on('error', () => undefined);
  const server = createServer({ allowHalfOpen: true }, (client) => void balancer.serve(client));
  await listenOn(server, first.listen, () => undefined);
  return server;
}
