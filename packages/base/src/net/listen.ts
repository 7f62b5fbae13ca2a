import type { AddressInfo, ListenOptions, Server } from 'node:net';

/**
 * Starts to listen, and rejects if that fails. Later errors of the server are passed to the callback, such as a failed accept for
 * lack of file descriptors: an `error` event without a listener would end the process.
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
