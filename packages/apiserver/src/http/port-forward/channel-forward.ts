import type { Duplex } from 'node:stream';
import { forwardError, type PortForwarder } from './port-forwarder.js';
import type { WebSocketPeer } from './websocket-peer.js';

export const channelProtocol = 'v4.channel.k8s.io';

export interface ForwardTarget {
  readonly pod: { readonly namespace: string; readonly name: string };
  readonly forwarder: PortForwarder;
}

/**
 * Forwards the ports that the request names over two channels per port: data and errors. Every message starts with the number of
 * its channel; the first message of a channel contains its port.
 */
export async function forwardByChannels(
  peer: WebSocketPeer,
  ports: readonly number[],
  { pod, forwarder }: ForwardTarget,
): Promise<void> {
  const targets = new Map<number, Duplex>();
  let isOpen = true;
  peer.onClose = () => {
    isOpen = false;
    for (const target of targets.values()) target.destroy();
  };
  for (const [index, port] of ports.entries()) {
    const [data, errors] = [2 * index, 2 * index + 1];
    const name = Buffer.alloc(2);
    name.writeUInt16LE(port);
    peer.send(withChannel(data, name));
    peer.send(withChannel(errors, name));
    try {
      const target = await forwarder(pod, port);
      if (!isOpen) target.destroy();
      targets.set(data, target);
      const close = (): void => {
        targets.delete(data);
        if (targets.size === 0) peer.close();
      };
      relay(peer, target, data, { close, fail: (error) => fail(peer, errors, port, error) });
    } catch (error) {
      fail(peer, errors, port, error);
      peer.close();
    }
  }
  peer.onMessage = (payload) => {
    const target = targets.get(payload[0] ?? -1);
    if (target === undefined || target.destroyed || target.write(payload.subarray(1))) return;
    peer.pause();
    target.once('drain', () => peer.resume());
  };
}

function relay(
  peer: WebSocketPeer,
  target: Duplex,
  channel: number,
  ends: { readonly close: () => void; readonly fail: (error: Error) => void },
): void {
  target.on('data', (chunk: Buffer) => {
    if (peer.send(withChannel(channel, chunk))) return;
    target.pause();
    peer.onceDrained(() => target.resume());
  });
  target.on('error', ends.fail);
  target.on('end', () => target.end());
  target.on('close', ends.close);
}

function fail(peer: WebSocketPeer, channel: number, port: number, error: unknown): void {
  peer.send(withChannel(channel, Buffer.from(forwardError(port, error))));
}

function withChannel(channel: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([channel]), bytes]);
}
