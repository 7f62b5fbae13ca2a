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
