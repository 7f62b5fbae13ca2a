import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { VirtualClock } from '@slipway/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerConnection } from './connection.js';
import { parseServerAddress } from './server-address.js';

/**
 * Returns the rejection of a promise. The handler is attached immediately, because the promise can reject at any time.
 */
const failureOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

/** The server accepts connections and never responds, like a hanging vCenter. */
describe('a server that does not complete the TLS handshake', () => {
  let server: Server;
  let clock: VirtualClock;
  let connection: ServerConnection;
  const sockets = new Set<Socket>();

  beforeEach(async () => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    clock = new VirtualClock();
    const { port } = server.address() as AddressInfo;
    connection = new ServerConnection(parseServerAddress(`127.0.0.1:${port}`), {}, clock);
  });

  afterEach(async () => {
    connection.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    server.close();
    await once(server, 'close');
  });

  it('releases a call that was aborted', async () => {
    const stopper = new AbortController();
    const answer = failureOf(connection.send({ method: 'POST', path: '/sdk', signal: stopper.signal }));
    await once(server, 'connection');
    const reason = new Error('enough');
    stopper.abort(reason);
    expect(await answer).toBe(reason);
  });

  it('is disconnected when the connection is closed', async () => {
    const answer = failureOf(connection.send({ method: 'POST', path: '/sdk' }));
    await once(server, 'connection');
    connection.close();
    expect(await answer).toMatchObject({ failure: 'unreachable' });
    const [socket] = sockets;
    if (socket?.destroyed === false) await once(socket, 'close');
  });

  it('times out before the reconcile that makes the call, whose limit is 60 s', async () => {
    const answer = failureOf(connection.send({ method: 'POST', path: '/sdk' }));
    await once(server, 'connection');
    await clock.advance(30_000);
    expect(await answer).toMatchObject({
      failure: 'timeout',
      message: expect.stringContaining('did not respond within 30 s') as string,
    });
  });

  it('times out after the timeout of the call, not that of the connection', async () => {
    const answer = failureOf(connection.send({ method: 'POST', path: '/sdk', timeoutMs: 5_000 }));
    await once(server, 'connection');
    await clock.advance(5_000);
    expect(await answer).toMatchObject({
      failure: 'timeout',
      message: expect.stringContaining('did not respond within 5 s') as string,
    });
  });
});
