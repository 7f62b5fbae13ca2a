import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import type { Logger } from '@slipway/base';
import type { ForwardTarget } from './channel-forward.js';
import { forwardError } from './port-forwarder.js';
import { SpdySession, type SpdyStream } from './spdy/session.js';

export const spdyProtocol = 'SPDY/3.1';
export const spdyStreamProtocol = 'portforward.k8s.io';
/** SPDY tunnelled in WebSocket messages, which passes through proxies without SPDY support. */
export const spdyTunnelProtocol = `${spdyProtocol}+${spdyStreamProtocol}`;

interface Pair {
  data?: SpdyStream;
  error?: SpdyStream;
}

const waitingMax = 1_000;

/** Serves port forwarding over SPDY. Each forwarded connection is a pair of streams, data and error, with the same request id. */
export function serveSpdyForward(connection: Duplex, target: ForwardTarget, logger: Logger): void {
  const waiting = new Map<string, Pair>();
  const onStream = (stream: SpdyStream): void => {
    const id = stream.headers.get('requestid') ?? String(stream.id);
    const pair = waiting.get(id) ?? {};
    if (stream.headers.get('streamtype') === 'error') pair.error = stream;
    else pair.data = stream;
    if (pair.data === undefined || pair.error === undefined) {
      if (waiting.size < waitingMax) waiting.set(id, pair);
      else stream.destroy(new Error('too many port-forward connections have only one of their two streams'));
      return;
    }
    waiting.delete(id);
    void forwardPair(pair.data, pair.error, target);
  };
  const session = new SpdySession(connection, onStream, (error) => {
    waiting.clear();
    if (error !== undefined) logger.debug({ err: error }, 'Port forwarding ended');
  });
  session.resume();
}

async function forwardPair(data: SpdyStream, errors: SpdyStream, { pod, forwarder }: ForwardTarget): Promise<void> {
  const port = Number(data.headers.get('port') ?? errors.headers.get('port'));
  try {
    const upstream = await forwarder(pod, port);
    pipeline(data, upstream, data, (error) => {
      if (error === null || error === undefined || data.destroyed) errors.end();
      else errors.end(forwardError(port, error));
    });
  } catch (error) {
    errors.end(forwardError(port, error));
    data.end();
  }
}
