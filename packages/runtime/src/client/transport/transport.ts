import type { Socket } from 'node:net';

export type Headers = Readonly<Record<string, string | readonly string[]>>;

export interface TransportRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body?: string;
  /** Aborts the request at any time, also while its response is being read. */
  readonly signal: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. Repeated values are joined by commas. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** An upgraded connection, with the bytes that were received after the response headers. */
export interface UpgradedConnection {
  readonly headers: ReadonlyMap<string, string>;
  readonly socket: Socket;
  readonly head: Uint8Array;
}

/** Sends requests to one server. Failures are ConnectionErrors, or the signal's reason. */
export interface Transport {
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Requests a protocol upgrade on a dedicated connection. Returns the response if the server rejects it. */
  upgrade(request: TransportRequest): Promise<UpgradedConnection | TransportResponse>;
  close(): void;
}

/** Returns mutable copies of the headers, as Node's types require. */
export function copyHeaders(headers: Headers): Record<string, string | string[]> {
  const copy: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) copy[name] = typeof value === 'string' ? value : [...value];
  return copy;
}
