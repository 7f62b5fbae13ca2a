import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Scope, systemClock, VirtualClock } from '@slipway/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Backend } from '../engine/index.js';
import { Balancer } from './balancer.js';
import { balancerFile, runBalancer } from './run-balancer.js';

const host = '127.0.0.1';
/**
 * A loopback address that only this test uses. A port that is released on 127.0.0.1 may be taken by another program
 * immediately.
 */
const ownHost = '127.0.0.99';
let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.dispose());

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, host);
  await once(server, 'listening');
  scope.defer(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Starts a server that responds to any input with its name. */
const startNamed = (name: string): Promise<number> =>
  listen(createServer((socket) => socket.on('data', () => socket.end(name))));

async function closed(): Promise<Backend> {
  const server = createServer();
  server.listen(0, ownHost);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return { host: ownHost, port };
}

async function ask(port: number): Promise<string> {
  const socket = connect({ host, port });
  socket.on('error', () => undefined);
  socket.write('hello');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  // A client that is disconnected before its data was read may get a reset, which counts as the end of the connection.
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

const at = (port: number): Backend => ({ host, port });

describe('the load balancer', () => {
  const serve = (balancer: Balancer): Promise<number> =>
    listen(createServer({ allowHalfOpen: true }, (client) => void balancer.serve(client)));

  it('uses servers in round-robin order, and skips one that does not respond', async () => {
    const [one, two, gone] = [await startNamed('one'), await startNamed('two'), await closed()];
    const port = await serve(new Balancer([at(one), gone, at(two)], systemClock));
    const answers = [await ask(port), await ask(port), await ask(port)];
    expect(answers).toEqual(['one', 'two', 'two']);
  });

  it.each([
    { name: 'no server', count: 0 },
    { name: 'no server that answers', count: 2 },
  ])('closes immediately with $name', async ({ count }) => {
    const backends = await Promise.all(Array.from({ length: count }, closed));
    const port = await serve(new Balancer(backends, systemClock));
    expect(await ask(port)).toBe('');
  });

  it('tries a failed server last for a while, and then in order again', async () => {
    const clock = new VirtualClock();
    const [gone, two] = [await closed(), await startNamed('two')];
    const port = await serve(new Balancer([gone, at(two)], clock));
    expect(await ask(port)).toBe('two');
    const back = createServer((socket) => socket.on('data', () => socket.end('back')));
    back.listen(gone.port, gone.host);
    await once(back, 'listening');
    scope.defer(() => void back.close());
    expect([await ask(port), await ask(port)]).toEqual(['two', 'two']);
    await clock.advance(6_000);
    expect([await ask(port), await ask(port)].sort()).toEqual(['back', 'two']);
  });

  it('delivers all data that a server sent before it closed, also to a slow reader', async () => {
    const size = 8 * 1024 * 1024;
    const server = await listen(createServer((socket) => socket.on('data', () => socket.end(Buffer.alloc(size, 1)))));
    const port = await serve(new Balancer([at(server)], systemClock));
    const socket = connect({ host, port });
    socket.end('hello');
    let received = 0;
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received += chunk.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(received).toBe(size);
  });

  it('reloads its servers when the file changes', async () => {
    const [one, two] = [await startNamed('one'), await startNamed('two')];
    const folder = mkdtempSync(join(tmpdir(), 'balancer-'));
    scope.defer(() => rmSync(folder, { recursive: true }));
    const path = join(folder, balancerFile);
    const write = (port: number): void => {
      writeFileSync(`${path}.new`, JSON.stringify({ listen: { host, port: 0 }, backends: [{ host, port }] }));
      renameSync(`${path}.new`, path);
    };
    write(one);
    const server = await runBalancer(folder);
    scope.defer(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await ask(port)).toBe('one');
    write(two);
    await expect.poll(() => ask(port)).toBe('two');
  });
});
