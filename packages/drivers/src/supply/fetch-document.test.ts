import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { systemClock } from '@slipway/base';
import { expect, it } from 'vitest';
import { createFetch } from './fetch-document.js';

it('releases the connection to a proxy that rejects the tunnel', async () => {
  const proxy = createServer().listen(0, '127.0.0.1');
  const letGo = new Promise((resolve) => {
    proxy.on('connect', (_request, socket: Socket) => {
      socket.on('error', () => socket.destroy());
      resolve(once(socket, 'end'));
      socket.resume().write('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    });
  });
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const fetch = createFetch(systemClock, { https_proxy: `http://127.0.0.1:${port}` });
  const never = new AbortController().signal;
  await expect(fetch('https://matrix.example/matrix.json', { signal: never })).rejects.toThrow(
    `the proxy 127.0.0.1:${port} returned status 407 for matrix.example:443`,
  );
  await letGo;
  proxy.close();
});
