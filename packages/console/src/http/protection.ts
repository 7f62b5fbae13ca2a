import type { HttpRequest, HttpResponse } from '@slipway/base';
import { headerOf, HttpError } from './message.js';

/** Headers of every response. They forbid external content, framing and content sniffing. */
const headers: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

export function protect(response: HttpResponse): HttpResponse {
  return { ...response, headers: { ...headers, ...response.headers } };
}

const loopbackAddress = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const loopbackHost = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;

/** Returns whether the request comes from this host and was not forwarded by a proxy. */
export function isLocal(request: HttpRequest): boolean {
  const isForwarded = headerOf(request, 'x-forwarded-for') !== '' || headerOf(request, 'forwarded') !== '';
  return loopbackAddress.test(request.remoteAddress) && !isForwarded;
}

/**
 * Rejects requests with a foreign Host header. Protects against DNS rebinding: a foreign host name that resolves to this host
 * would get the console's origin.
 */
export function checkHost(request: HttpRequest): void {
  if (!loopbackHost.test(hostOf(request)))
    throw new HttpError(421, 'this console accepts requests from this host only', 'open it as http://127.0.0.1');
}

function hostOf(request: HttpRequest): string {
  return headerOf(request, 'host') || headerOf(request, ':authority');
}

/** Rejects requests that do not come from the console's own pages. Required for requests that write, sign in or sign out. */
export function checkOrigin(request: HttpRequest): void {
  const site = headerOf(request, 'sec-fetch-site');
  if (site !== '' && site !== 'same-origin') throw new HttpError(403, 'cross-site requests are not allowed');
  const origin = headerOf(request, 'origin');
  if (origin === '') return;
  if (!URL.canParse(origin) || new URL(origin).host !== hostOf(request))
    throw new HttpError(403, 'cross-site requests are not allowed');
}
