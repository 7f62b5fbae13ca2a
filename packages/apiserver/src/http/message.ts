import type { HttpResponse } from '@slipway/base';

export function textResponse(status: number, text: string): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: Buffer.from(text),
  };
}

/** Returns the plain-text 404 of Go's router for unknown paths. Clients convert it to a Status. */
export function pageNotFound(): HttpResponse {
  return textResponse(404, '404 page not found\n');
}

export function jsonResponse(status: number, value: unknown): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(`${JSON.stringify(value)}\n`),
  };
}
