/** Header names are in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;
export type ResponseHeaders = Record<string, string | string[]>;

export interface ReadBodyOptions {
  /** Called with the size of each received part. If it throws, reading stops and the read rejects with the error. */
  readonly onBytes?: (bytes: number) => void;
  /** Stops reading. The read rejects with the reason. */
  readonly signal?: AbortSignal;
}

/** A request, independent of its transport: only the transport has sockets, so that the rest is tested without them. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly remoteAddress: string;
  /** DER of the client certificate, not verified. All requests of a connection have the same array object. */
  readonly clientCertificate: Uint8Array | undefined;
  /** Reads the whole body. Resolves to undefined as soon as it exceeds `bytesMax`. */
  readBody(bytesMax: number, options?: ReadBodyOptions): Promise<Buffer | undefined>;
  /** Calls `callback` once if the client disconnects before the response is complete. */
  onClose(callback: () => void): void;
}

/** The destination of a streaming body. */
export interface BodySink {
  /** Waits for back-pressure to end. Resolves to true if more may be written, false if the client has disconnected. */
  write(chunk: Buffer): boolean | Promise<boolean>;
  onClose(callback: () => void): void;
}

/** Writes the body. Returning ends the response normally. */
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
