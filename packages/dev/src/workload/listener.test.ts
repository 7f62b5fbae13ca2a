import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { Listener } from './listener.js';

it('releases its port although a client keeps its connection open', async () => {
  const listener = await Listener.open('127.0.0.1', 0);
  const accepted = new Promise<void>((resolve) => {
    listener.onConnection = () => resolve();
  });
  const client = connect(listener.port, '127.0.0.1');
  client.on('error', () => undefined);
  await accepted;
  const cut = once(client, 'close');
  await listener.close();
  await cut;
  const again = await Listener.open('127.0.0.1', listener.port);
  await again.close();
  expect(again.port).toBe(listener.port);
});

it('opens its port on a local address although its host is the name of a Service', async () => {
  const host = 'capd-clusters.capd-system.svc';
  const listener = await Listener.open(host, 0, '127.0.0.1');
  const accepted = new Promise<void>((resolve) => {
    listener.onConnection = (socket) => resolve(void socket.destroy());
  });
  const client = connect(listener.port, '127.0.0.1');
  client.on('error', () => undefined);
  await accepted;
  await listener.close();
  expect(listener.host).toBe(host);
});
