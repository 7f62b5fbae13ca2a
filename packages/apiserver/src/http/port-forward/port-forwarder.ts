import type { Duplex } from 'node:stream';

/** Connects to a port of a pod. Throws, or fails the stream, if the connection is refused. */
export type PortForwarder = (
  pod: { readonly namespace: string; readonly name: string },
  port: number,
) => Promise<Duplex>;

/** Returns the error message for the client's error channel. */
export function forwardError(port: number, error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `error forwarding port ${port} to pod: ${text}`;
}
