import { headerText, type HttpRequest, type HttpResponse } from '@slipway/base';

export function headerOf({ headers }: Pick<HttpRequest, 'headers'>, name: string): string {
  return headerText(headers, name) ?? '';
}

/** An error response with status, message and what the user can do. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly remedy = '',
  ) {
    super(message);
    this.name = 'HttpError';
  }
}

export function jsonResponse(status: number, value: unknown): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: Buffer.from(JSON.stringify(value)),
  };
}

const bodyBytesMax = 2 * 1024 * 1024;

export async function readJson(request: HttpRequest): Promise<Readonly<Record<string, unknown>>> {
  // Protects against requests of other sites: a form cannot send this content type, and a script would need a CORS preflight.
  if (!headerOf(request, 'content-type').startsWith('application/json'))
    throw new HttpError(415, 'the content type must be application/json');
  const body = await request.readBody(bodyBytesMax);
  if (body === undefined) throw new HttpError(413, `the request body is larger than ${bodyBytesMax} bytes`);
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Invalid JSON is reported below, like any other body that is not a JSON object.
  }
  throw new HttpError(400, 'the request body is not a JSON object');
}

export function textIn(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw new HttpError(400, `field "${name}" is required`);
  return value;
}
