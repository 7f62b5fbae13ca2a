/** Header names are lower case. */
type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One request, whatever carried it: the port of the management plane, or one of our own. */
export interface ConsoleRequest {
  readonly method: string;
  /** Path and query, still encoded. */
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly remoteAddress: string;
  /** In DER; not verified. */
  readonly clientCertificate: Uint8Array | undefined;
  /** The whole body, or undefined as soon as it turns out to be longer than `bytesMax`. */
  readBody(bytesMax: number): Promise<Buffer | undefined>;
  onClose(callback: () => void): void;
}

/** Where a stream of events goes. */
export interface BodySink {
  /** True once more may be written; false when the client has gone. */
  write(chunk: Buffer): boolean | Promise<boolean>;
  onClose(callback: () => void): void;
}

export interface ConsoleResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  readonly body: Buffer | ((sink: BodySink) => Promise<void>) | undefined;
}

export function headerOf({ headers }: Pick<ConsoleRequest, 'headers'>, name: string): string {
  const value = headers[name];
  if (value === undefined) return '';
  return typeof value === 'string' ? value : value.join(',');
}

/** What is told to a page whose request is not carried out. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly remedy = '',
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

export function jsonResponse(status: number, value: unknown): ConsoleResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: Buffer.from(JSON.stringify(value)),
  };
}

const bodyBytesMax = 2 * 1024 * 1024;

export async function readJson(request: ConsoleRequest): Promise<Readonly<Record<string, unknown>>> {
  // A form of another site cannot send this type, and a script of one would have to ask first.
  if (!headerOf(request, 'content-type').startsWith('application/json'))
    throw new Refusal(415, 'the request must be application/json');
  const body = await request.readBody(bodyBytesMax);
  if (body === undefined) throw new Refusal(413, `the request is longer than ${bodyBytesMax} bytes`);
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Told below, like everything else that is no object.
  }
  throw new Refusal(400, 'the request is no JSON object');
}

export function textIn(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw new Refusal(400, `${name} is missing`);
  return value;
}
