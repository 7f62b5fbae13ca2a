import type { AddressInfo, ListenOptions, Server } from 'node:net';

/**
 * Listens, and fails where that cannot be done. What goes wrong later is told: a connection that cannot be taken, for want of
 * file descriptors for example, is an error of the server, which ends the process when nobody listens to it.
 */
export async function listenOn(
  server: Server,
  where: ListenOptions,
  onLaterError: (error: Error) => void,
): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      server.on('error', onLaterError);
      resolve();
    });
  });
  return server.address() as AddressInfo;
}
