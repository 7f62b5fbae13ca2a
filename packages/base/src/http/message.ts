/** Header names are lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;
export type ResponseHeaders = Record<string, string | string[]>;

/** One request, whatever carried it: sockets stay in the transport, so that everything else is tested without any. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, still encoded. */
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly remoteAddress: string;
  /** In DER; not verified. The same array for every request of one connection. */
  readonly clientCertificate: Uint8Array | undefined;
  /** The whole body, or undefined as soon as it turns out to be longer than `bytesMax`. */
  readBody(bytesMax: number): Promise<Buffer | undefined>;
  /** Calls back once when the client goes away before the response is complete. */
  onClose(callback: () => void): void;
}

/** Where a streaming body goes. */
export interface BodySink {
  /** True once more may be written, after back-pressure has gone; false when the client has gone. */
  write(chunk: Buffer): boolean | Promise<boolean>;
  onClose(callback: () => void): void;
}

/** Runs until the body is complete; returning is a clean end. */
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
