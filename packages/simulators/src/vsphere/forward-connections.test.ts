import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { loadBalancerConfiguration } from '@slipway/vsphere';
import { afterEach, describe, expect, it } from 'vitest';
import { forwardConnections } from './forward-connections.js';

// Differs from the address of other tests that run in parallel.
const address = `10.${1 + (process.pid % 250)}.254.1`;
const host = address.replace(/^10/, '127');
const cluster = { namespace: 'n', name: 'c' };

const server = (name: string, number: number, isDraining = false) => ({
  name,
  host: `10.20.0.${number}`,
  port: 6443,
  isDraining,
});
const configurationOf = (...servers: ReturnType<typeof server>[]): string =>
  loadBalancerConfiguration({ username: 'u', password: 'p' }, servers);

/** Running machines that send their address to each connected client. */
function forwardTo(running: ReadonlySet<string>) {
  return forwardConnections({
    accept(_cluster, at: string, connection: Duplex) {
      if (running.has(at)) connection.end(at);
      return running.has(at);
    },
  });
}

/** The response of the server behind the balancer; empty if no server runs. */
async function ask(): Promise<string> {
  const socket: Socket = connect({ host, port: 6443 });
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(socket, 'close');
  return text;
}

describe('connections of a simulated HAProxy', () => {
  const running = new Set(['10.20.0.1', '10.20.0.2', '10.20.0.3']);
  const run = forwardTo(running);
  afterEach(() => run(address, undefined, cluster));

  it.each([
    { name: 'go to the first server', servers: [server('a', 1), server('b', 2)], said: '10.20.0.1' },
    { name: 'go to none that leaves', servers: [server('a', 1, true), server('b', 2)], said: '10.20.0.2' },
    { name: 'go to none that does not run', servers: [server('a', 9), server('b', 2)], said: '10.20.0.2' },
    { name: 'are cut when no server runs', servers: [server('a', 9)], said: '' },
    { name: 'are cut when there is no server', servers: [], said: '' },
  ])('$name', async ({ servers, said }) => {
    await run(address, configurationOf(...servers), cluster);
    expect(await ask()).toBe(said);
  });

  it('follow a new configuration, and end with the machine', async () => {
    await run(address, configurationOf(server('a', 1)), cluster);
    expect(await ask()).toBe('10.20.0.1');
    await run(address, configurationOf(server('c', 3)), cluster);
    expect(await ask()).toBe('10.20.0.3');
    await run(address, undefined, cluster);
    await expect(ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
