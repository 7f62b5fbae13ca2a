import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { loadBalancerConfiguration } from '@slipway/vsphere';
import { afterEach, describe, expect, it } from 'vitest';
import { forwardConnections } from './forward-connections.js';

// Depends on the PID: tests that run in parallel must use different addresses.
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

/** Forwards connections to machines that send their own address to each client. Only `running` machines accept connections. */
function forwardTo(running: ReadonlySet<string>) {
  return forwardConnections({
    accept(_cluster, at: string, connection: Duplex) {
      if (running.has(at)) connection.end(at);
      return running.has(at);
    },
  });
}

/** Connects to the load balancer and returns the response of the server behind it, or '' if no server is running. */
async function connectedTo(): Promise<string> {
  const socket: Socket = connect({ host, port: 6443 });
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(socket, 'close');
  return text;
}

describe('simulated HAProxy', () => {
  const running = new Set(['10.20.0.1', '10.20.0.2', '10.20.0.3']);
  const run = forwardTo(running);
  afterEach(() => run(address, undefined, cluster));

  it.each([
    { name: 'forwards to the first server', servers: [server('a', 1), server('b', 2)], expected: '10.20.0.1' },
    { name: 'skips a draining server', servers: [server('a', 1, true), server('b', 2)], expected: '10.20.0.2' },
    { name: 'skips a server that is not running', servers: [server('a', 9), server('b', 2)], expected: '10.20.0.2' },
    { name: 'closes connections if no server is running', servers: [server('a', 9)], expected: '' },
    { name: 'closes connections if no server is configured', servers: [], expected: '' },
  ])('$name', async ({ servers, expected }) => {
    await run(address, configurationOf(...servers), cluster);
    expect(await connectedTo()).toBe(expected);
  });

  it('forwards connections according to a new configuration, and closes them with the machine', async () => {
    await run(address, configurationOf(server('a', 1)), cluster);
    expect(await connectedTo()).toBe('10.20.0.1');
    await run(address, configurationOf(server('c', 3)), cluster);
    expect(await connectedTo()).toBe('10.20.0.3');
    await run(address, undefined, cluster);
    await expect(connectedTo()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
