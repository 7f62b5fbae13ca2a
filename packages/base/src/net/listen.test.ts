import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { listenOn } from './listen.js';

it('reports errors of a listening server to the callback', async () => {
  const errors: Error[] = [];
  const server = createServer();
  const { port } = await listenOn(server, { host: '127.0.0.1', port: 0 }, (error) => errors.push(error));
  expect(port).toBeGreaterThan(0);
  const noRoom = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' });
  server.emit('error', noRoom);
  expect(errors).toEqual([noRoom]);
  const second = createServer();
  await expect(listenOn(second, { host: '127.0.0.1', port }, (error) => errors.push(error))).rejects.toThrow(
    'address already in use',
  );
  server.close();
  await once(server, 'close');
  expect(errors).toEqual([noRoom]);
});
