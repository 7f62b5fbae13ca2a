import { headerText, type HttpResponse, type RequestHeaders } from '@slipway/base';
import type { AggregatedVersion } from './discovery/aggregated.js';
import type { DiscoveryDocuments } from './discovery/documents.js';
import type { MediaType } from './media-type.js';
import { negotiate } from './negotiate.js';
import { respondValue } from './respond.js';

/** Returns discovery in the negotiated format, or undefined if the path is not served. */
export function respondDiscovery(
  documents: DiscoveryDocuments,
  path: string,
  accept: readonly MediaType[],
  headers: RequestHeaders,
): HttpResponse | undefined {
  if (path === '/api' || path === '/apis') {
    const version = aggregatedVersion(accept);
    if (version !== undefined) return respondAggregated(documents, path, version, headers);
  }
  const body = documents.legacy(path);
  if (body === undefined) return undefined;
  const negotiation = { accept: headerText(headers, 'accept'), views: false, custom: true, protobuf: true };
  const { encoding } = negotiate(negotiation, undefined, '');
  if (encoding !== 'protobuf') return { status: 200, headers: { 'content-type': 'application/json' }, body };
  return respondValue(JSON.parse(body.toString('utf8')), 200, { encoding, pretty: false });
}

/**
 * Returns the version of aggregated discovery that the client prefers, if any. Aggregated clauses after a plain one are ignored;
 * unknown profiles are served in the plain format.
 */
function aggregatedVersion(accept: readonly MediaType[]): AggregatedVersion | undefined {
  for (const { type, subtype, parameters } of accept) {
    if (type !== 'application' || (subtype !== 'json' && subtype !== 'vnd.kubernetes.protobuf')) continue;
    if (!parameters.has('as')) return undefined;
    if (subtype !== 'json') continue;
    const version = parameters.get('v');
    if (parameters.get('g') !== 'apidiscovery.k8s.io' || parameters.get('as') !== 'APIGroupDiscoveryList') continue;
    if (version === 'v2' || version === 'v2beta1') return version;
  }
  return undefined;
}

function respondAggregated(
  documents: DiscoveryDocuments,
  path: '/api' | '/apis',
  version: AggregatedVersion,
  requestHeaders: RequestHeaders,
): HttpResponse {
  const { body, etag } = documents.aggregated(path, version);
  const headers = {
    etag,
    vary: 'Accept',
    'cache-control': 'public',
    'content-type': `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
  };
  if (matchesEtag(headerText(requestHeaders, 'if-none-match'), etag)) return { status: 304, headers, body: undefined };
  return { status: 200, headers, body };
}

export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((value) => {
    const text = value.trim();
    return text === '*' || text === etag || text === `W/${etag}`;
  });
}
