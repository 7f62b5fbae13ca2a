import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeWebSocketFrame, Scope, webSocketAccept, WebSocketDecoder, webSocketOpcodes } from '@slipway/base';
import { createHttpClient, type HttpClient } from '../src/index.js';
import { servePortForward } from '../src/testing/port-forward-server.js';
import { createTestPki, type TestPki } from './test-servers.js';

const pod = { namespace: 'kube-system', name: 'etcd-node-1' };
const etcdPort = 2379;

let pki: TestPki;
let scope = new Scope();
let api: HttpsServer;
let client: HttpClient;
/** Called with each connection to the port of the Pod. */
let onConnection: (socket: Socket) => void;
let targetPort = 0;
let onUpgrade: (request: IncomingMessage, socket: Duplex) => void;
const upgrades: IncomingMessage[] = [];

beforeAll(async () => {
  pki = await createTestPki();
});

beforeEach(async () => {
  upgrades.length = 0;
  onConnection = (socket) => void socket.pipe(socket);
  const target = createServer({ allowHalfOpen: false }, (socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  targetPort = await listen(target);
  onUpgrade = (request, socket) => servePortForward(request, socket, { portOf: () => targetPort });
  api = createHttpsServer({ ...(await pki.serving(['127.0.0.1'])) });
  api.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    upgrades.push(request);
    socket.on('error', () => undefined);
    onUpgrade(request, socket);
  });
  const port = await listen(api);
  client = createHttpClient({
    server: `https://127.0.0.1:${port}/clusters/one`,
    certificateAuthority: { data: pki.ca },
    token: { data: 'secret-token' },
  });
  scope.defer(() => client.close());
});

afterEach(async () => {
  await scope.dispose();
  scope = new Scope();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.defer(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

async function read(stream: Duplex, length: number): Promise<string> {
  let text = '';
  for (;;) {
    const chunk: unknown = stream.read();
    if (Buffer.isBuffer(chunk)) text += chunk.toString('utf8');
    if (text.length >= length) return text;
    if (chunk === null) await once(stream, 'readable');
  }
}

function answerWith(status: string, body = ''): void {
  onUpgrade = (_request, socket) =>
    void socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
}

describe('port forwarding', () => {
  it("carries bytes both ways, with the client's credentials, below the base path", async () => {
    const stream = await client.portForward(pod, etcdPort);
    stream.write('hello');
    expect(await read(stream, 5)).toBe('hello');
    stream.write('again');
    expect(await read(stream, 5)).toBe('again');
    stream.destroy();
    const [request] = upgrades;
    expect(request?.url).toBe('/clusters/one/api/v1/namespaces/kube-system/pods/etcd-node-1/portforward?ports=2379');
    expect(request?.headers['authorization']).toBe('Bearer secret-token');
    expect(request?.headers['sec-websocket-protocol']).toBe('v4.channel.k8s.io');
  });

  it('carries large streams in both directions concurrently, complete and in order', async () => {
    const stream = await client.portForward(pod, etcdPort);
    const sent = Buffer.alloc(3 * 1024 * 1024);
    for (let index = 0; index < sent.length; index += 4) sent.writeUInt32BE(index, index);
    const chunks: Buffer[] = [];
    let size = 0;
    const all = new Promise<void>((resolve) => {
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size === sent.length) resolve();
      });
    });
    stream.write(sent);
    await all;
    expect(Buffer.concat(chunks).equals(sent)).toBe(true);
    stream.destroy();
  });

  it('applies back-pressure to the sender while the client does not read', async () => {
    const total = 64 * 1024 * 1024;
    let written = 0;
    onConnection = (socket) => {
      const send = (): void => {
        while (written < total) {
          written += 65_536;
          if (!socket.write(Buffer.alloc(65_536))) {
            socket.once('drain', send);
            return;
          }
        }
        socket.end();
      };
      send();
    };
    const stream = await client.portForward(pod, etcdPort);
    // Sender, server and client share this event loop: if nothing was written in many turns, the stream is paused.
    for (let before = 0; written === 0 || written !== before; ) {
      before = written;
      for (let turn = 0; turn < 500; turn += 1) await nextTurn();
    }
    expect(written).toBeLessThan(total / 2);
    expect((await buffer(stream)).length).toBe(total);
  });

  it('ends when the Pod ends the stream, after everything that it sent', async () => {
    onConnection = (socket) => void socket.end('goodbye');
    const stream = await client.portForward(pod, etcdPort);
    expect((await buffer(stream)).toString()).toBe('goodbye');
  });

  it('closes the connection to the Pod when the client ends the stream', async () => {
    const seen = new Promise<string>((resolve) => {
      onConnection = (socket) => void buffer(socket).then((bytes) => resolve(bytes.toString()));
    });
    const stream = await client.portForward(pod, etcdPort);
    stream.end('last words');
    expect(await seen).toBe('last words');
    if (!stream.closed) await once(stream.resume(), 'close');
  });

  it("fails with the message of the kubelet's error channel", async () => {
    onUpgrade = (request, socket) => servePortForward(request, socket, { portOf: () => 1 });
    const stream = await client.portForward(pod, etcdPort);
    await expect(buffer(stream)).rejects.toMatchObject({
      name: 'ConnectionError',
      failure: 'reset',
      message: expect.stringContaining('error forwarding port 2379: connect ECONNREFUSED') as string,
    });
  });

  it('fails when the connection breaks', async () => {
    onUpgrade = (request, socket) => {
      servePortForward(request, socket, { portOf: () => targetPort });
      setImmediate(() => socket.destroy());
    };
    const stream = await client.portForward(pod, etcdPort);
    await expect(buffer(stream)).rejects.toMatchObject({ name: 'ConnectionError', failure: 'reset' });
  });

  it.each([
    { status: '403 Forbidden', reason: 'Forbidden' },
    { status: '404 Not Found', reason: 'NotFound' },
    { status: '401 Unauthorized', reason: 'Unauthorized' },
    { status: '500 Internal Server Error', reason: 'InternalError' },
  ])('rejects with the error of the server: $status', async ({ status, reason }) => {
    answerWith(
      status,
      JSON.stringify({ kind: 'Status', code: Number(status.slice(0, 3)), reason, message: 'because' }),
    );
    await expect(client.portForward(pod, etcdPort)).rejects.toMatchObject({ reason, message: 'because' });
  });

  it.each([
    { name: 'ignores the upgrade', arrange: () => answerWith('200 OK', '{}') },
    {
      name: 'selects another protocol',
      arrange: () => {
        onUpgrade = (request, socket) =>
          servePortForward(request, socket, { portOf: () => targetPort, protocol: 'v9.channel.k8s.io' });
      },
    },
  ])('rejects a server that $name', async ({ arrange: configure }) => {
    configure();
    await expect(client.portForward(pod, etcdPort)).rejects.toMatchObject({
      name: 'ConnectionError',
      failure: 'protocol',
    });
  });

  it('aborts before the server responds', async () => {
    const stop = new AbortController();
    onUpgrade = () => stop.abort(new Error('enough'));
    await expect(client.portForward(pod, etcdPort, { signal: stop.signal })).rejects.toThrow('enough');
  });

  it('aborts while the stream is open', async () => {
    const stop = new AbortController();
    const stream = await client.portForward(pod, etcdPort, { signal: stop.signal });
    const outcome = buffer(stream).catch((error: unknown) => error);
    const reason = new Error('enough');
    stop.abort(reason);
    expect(await outcome).toBe(reason);
  });

  it('closes the stream with its client', async () => {
    const stream = await client.portForward(pod, etcdPort);
    const outcome = buffer(stream).catch((error: unknown) => error);
    client.close();
    expect(await outcome).toMatchObject({ name: 'ConnectionError', failure: 'reset' });
    await expect(client.portForward(pod, etcdPort)).rejects.toMatchObject({ failure: 'closed' });
  });

  it('rejects a Pod without a name or with a path as its name', async () => {
    await expect(async () => client.portForward({ namespace: 'a', name: '../b' }, 1)).rejects.toThrow(
      /invalid resource name/,
    );
    expect(upgrades).toEqual([]);
  });

  describe('port forwarding with a minimal server', () => {
    /** Accepts the upgrade and sends the given frames. */
    function agree(socket: Duplex, request: IncomingMessage, ...frames: readonly Uint8Array[]): void {
      const accept = webSocketAccept(request.headers['sec-websocket-key'] ?? '');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: v4.channel.k8s.io\r\n\r\n`,
      );
      for (const frame of frames) socket.write(frame);
    }
    const data = (text: string): Buffer => Buffer.concat([Buffer.from([0]), Buffer.from(text)]);
    const opened = encodeWebSocketFrame(webSocketOpcodes.binary, Buffer.from([0, 0x4b, 0x09]));

    it('responds to pings', async () => {
      const answered = new Promise<string>((resolve) => {
        onUpgrade = (request, socket) => {
          const decoder = new WebSocketDecoder({ payloadBytesMax: 1024 });
          socket.on('data', (chunk: Buffer) => {
            for (const { opcode, payload } of decoder.push(chunk))
              if (opcode === webSocketOpcodes.pong) resolve(Buffer.from(payload).toString());
          });
          agree(socket, request, encodeWebSocketFrame(webSocketOpcodes.ping, Buffer.from('there?')));
        };
      });
      const stream = await client.portForward(pod, etcdPort);
      stream.resume();
      expect(await answered).toBe('there?');
      stream.destroy();
    });

    it('reads frames of any shape that arrive with the response', async () => {
      onUpgrade = (request, socket) => {
        const whole = encodeWebSocketFrame(webSocketOpcodes.binary, data('hello'));
        const first = Buffer.from([0x02, 3, 0, 0x61, 0x62]);
        const rest = Buffer.from([0x80, 1, 0x63]);
        agree(
          socket,
          request,
          Buffer.concat([opened, whole, first, rest]),
          encodeWebSocketFrame(webSocketOpcodes.close, new Uint8Array()),
        );
      };
      const stream = await client.portForward(pod, etcdPort);
      expect((await buffer(stream)).toString()).toBe('helloabc');
    });

    it.each([
      { name: 'interleaves fragmented messages', bytes: Buffer.from([0x80, 1, 0]) },
      { name: 'uses extensions', bytes: Buffer.from([0xc2, 1, 0]) },
      { name: 'sends a frame above the size limit', bytes: Buffer.from([0x82, 127, 1, 0, 0, 0, 0, 0, 0, 0]) },
    ])('closes the connection to a server that $name', async ({ bytes }) => {
      onUpgrade = (request, socket) => agree(socket, request, opened, bytes);
      const stream = await client.portForward(pod, etcdPort);
      await expect(buffer(stream)).rejects.toMatchObject({ name: 'ConnectionError', failure: 'protocol' });
    });
  });
});
