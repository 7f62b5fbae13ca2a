/** Header names are in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;
export type ResponseHeaders = Record<string, string | string[]>;

export interface ReadBodyOptions {
  /** Called with the size of each received part. If it throws, reading stops and the read rejects with the error. */
  readonly onBytes?: (bytes: number) => void;
  /** Stops reading. The read rejects with the reason. */
  readonly signal?: AbortSignal;
}

/**
 * An HTTP request, independent of its transport. Only the transport uses sockets, so that handlers can be tested without them.
 */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly remoteAddress: string;
  /** DER of the client certificate, not verified. All requests of a connection have the same array object. */
  readonly clientCertificate: Uint8Array | undefined;
  /** Certificates of intermediate CAs that the client sent, in DER; not verified. The same array for all requests of a connection. */
  readonly clientIntermediates?: readonly Uint8Array[];
  /** Reads the whole body. Resolves to undefined as soon as the body exceeds `bytesMax`. */
  readBody(bytesMax: number, options?: ReadBodyOptions): Promise<Buffer | undefined>;
  /** Calls `callback` once if the client disconnects before the response is complete. */
  onClose(callback: () => void): void;
  /** Waits until other connections have had their turn. A handler calls this before it processes a received body. */
  turn?(): Promise<void>;
}

/** The destination of a streaming body. */
export interface BodySink {
  /** Writes a chunk. Returns true once the next chunk may be written, and false if the client has disconnected. */
  write(chunk: Buffer): boolean | Promise<boolean>;
  onClose(callback: () => void): void;
}

/** Writes the body to the sink. Resolving ends the response normally. */
export type BodyStream = (sink: BodySink) => Promise<void>;

export interface HttpResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer | readonly Buffer[] | BodyStream | undefined;
}

export function headerText(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? (value as string | undefined) : value.join(',');
}
