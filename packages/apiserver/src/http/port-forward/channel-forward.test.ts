import { once } from 'node:events';
import { Duplex, PassThrough } from 'node:stream';
import { encodeWebSocketFrame, WebSocketDecoder, webSocketOpcodes } from '@slipway/base';
import { describe, expect, it } from 'vitest';
import { forwardByChannels } from './channel-forward.js';
import type { PortForwarder } from './port-forwarder.js';
import { WebSocketPeer } from './websocket-peer.js';

const pod = { namespace: 'default', name: 'echo' };
const mask = Buffer.from([1, 2, 3, 4]);

/** A connection whose other end the test holds. */
class Wire extends Duplex {
  readonly sent = new PassThrough();

  override _read(): void {
    // Nothing to do: the test pushes the data.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.sent.write(chunk);
    done();
  }

  override _final(done: () => void): void {
    this.sent.end();
    done();
  }
}

async function forward(
  forwarder: PortForwarder,
  ports: readonly number[],
  sentFrames: readonly Buffer[],
): Promise<string[]> {
  const wire = new Wire();
  const peer = new WebSocketPeer(wire);
  await forwardByChannels(peer, ports, { pod, forwarder });
  peer.start(Buffer.concat(sentFrames));
  const decoder = new WebSocketDecoder({ payloadBytesMax: 1_000_000 });
  const received: string[] = [];
  wire.sent.on('data', (chunk: Buffer) => {
    for (const { opcode, payload } of decoder.push(chunk))
      received.push(opcode === webSocketOpcodes.close ? 'close' : Buffer.from(payload).toString('latin1'));
  });
  await once(wire.sent, 'end');
  return received;
}

const messageFrame = (channel: number, text: string): Buffer =>
  encodeWebSocketFrame(webSocketOpcodes.binary, Buffer.concat([Buffer.from([channel]), Buffer.from(text)]), mask);
const closeFrame = encodeWebSocketFrame(webSocketOpcodes.close, Buffer.from([0x03, 0xe8]), mask);

/** Echoes data in upper case and closes the connection after a full stop. */
const echo: PortForwarder = () => {
  const answer = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      const text = chunk.toString();
      this.push(text.toUpperCase());
      if (text.endsWith('.')) this.push(null);
      done();
    },
  });
  return Promise.resolve(answer);
};

describe('port forwarding over WebSocket channels', () => {
  it('sends the port number first on the data and error channels', async () => {
    const received = await forward(echo, [2379, 80], [closeFrame]);
    expect(received).toEqual(['\0\x4b\x09', '\x01\x4b\x09', '\x02\x50\0', '\x03\x50\0', 'close']);
  });

  it('forwards data both ways and ends when the pod closes the connection', async () => {
    const received = await forward(echo, [80], [messageFrame(0, 'hello'), messageFrame(0, ' you.')]);
    expect(received.slice(2)).toEqual(['\0HELLO', '\0 YOU.', 'close']);
  });

  it('reports errors on the error channel', async () => {
    const received = await forward(() => Promise.reject(new Error('connection refused')), [80], []);
    expect(received.slice(2)).toEqual(['\x01error forwarding port 80 to pod: connection refused', 'close']);
  });

  it('closes the connection if the client violates the protocol', async () => {
    const received = await forward(echo, [80], [Buffer.from([0xff, 0xff])]);
    expect(received.slice(2)).toEqual(['close']);
  });
});
