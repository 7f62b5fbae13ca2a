import type { AddressInfo, ListenOptions, Server } from 'node:net';

/**
 * Starts to listen and rejects if that fails. Reports later errors to the callback: a failed accept, for example for lack
 * of file descriptors, is an `error` event of the server, which would end the process without a listener.
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
