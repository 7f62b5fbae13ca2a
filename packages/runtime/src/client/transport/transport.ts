import type { Socket } from 'node:net';

export type Headers = Readonly<Record<string, string | readonly string[]>>;

export interface TransportRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body?: string;
  /** Ends the request at any time, while its answer is being read too. */
  readonly signal: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case; values that came more than once are joined by commas. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A connection that the server has agreed to use for something else, with what it sent already. */
export interface UpgradedConnection {
  readonly headers: ReadonlyMap<string, string>;
  readonly socket: Socket;
  readonly head: Uint8Array;
}

/** Carries requests to one server. Failures are ConnectionErrors, or the signal's reason. */
export interface Transport {
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Asks for another protocol on a connection of its own; an answer when the server refuses. */
  upgrade(request: TransportRequest): Promise<UpgradedConnection | TransportResponse>;
  close(): void;
}

/** Node's types want arrays that it may change. */
export function copyHeaders(headers: Headers): Record<string, string | string[]> {
  const copy: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) copy[name] = typeof value === 'string' ? value : [...value];
  return copy;
}
