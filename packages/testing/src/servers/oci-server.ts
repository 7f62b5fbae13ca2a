import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type HttpsServerOptions, startHttpsServer, type TestHttpsServer } from './https-server.js';

/** File contents by repository, tag and file name. */
export type Artifacts = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

export interface OciServerOptions extends HttpsServerOptions {
  /** The credentials that the registry requires before it issues a token. No credentials are required by default. */
  readonly login?: { readonly username: string; readonly password: string };
  /** The refresh token that the registry accepts instead of credentials. */
  readonly refreshToken?: string;
  /** Whether to return blobs whose content does not match their digest. */
  readonly corrupt?: boolean;
}

interface Stored {
  /** Keyed by digest. */
  readonly blobs: Map<string, string>;
  /** Keyed by repository, then by tag. */
  readonly manifests: Map<string, Map<string, string>>;
}

/** Tokens by scope: a pull token cannot push. */
const tokens = { pull: 'the-token', 'pull,push': 'the-token-for-pushing' } as const;
const pageSize = 2;

/** Starts an OCI registry with the parts that pull and push use: tokens, paged tags, manifests, blobs and uploads. */
export async function startOciServer(artifacts: Artifacts, options: OciServerOptions = {}): Promise<TestHttpsServer> {
  const stored: Stored = { blobs: new Map(), manifests: new Map() };
  for (const [repository, tags] of Object.entries(artifacts))
    for (const [tag, files] of Object.entries(tags)) {
      for (const text of Object.values(files)) stored.blobs.set(digestOf(text), text);
      tagsOf(stored, repository).set(tag, manifestOf(files));
    }
  return startHttpsServer((request, response) => {
    // The request fails if the client disconnects.
    answer(request, response, stored, options).catch(() => response.destroy());
  }, options);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  stored: Stored,
  options: OciServerOptions,
): Promise<unknown> {
  const url = new URL(request.url ?? '', 'https://localhost');
  if (url.pathname === '/token') return giveToken(request, response, url, options);
  const { method = '', headers } = request;
  if (!isAuthorized(method, headers.authorization)) {
    const challenge = `Bearer realm="https://${headers.host}/token",service="registry.test"`;
    return response.writeHead(401, { 'www-authenticate': challenge }).end();
  }
  const [, repository = '', endpoint = '', reference = ''] =
    /^\/v2\/(.+?)\/(tags|manifests|blobs)\/(.+)$/.exec(url.pathname) ?? [];
  if (method === 'POST') return response.writeHead(202, { location: `${url.pathname}one?state=x` }).end();
  if (method === 'PUT') return store(response, stored, url, [repository, reference], await buffer(request));
  if (endpoint === 'tags') return listTags(response, url, repository, [...tagsOf(stored, repository).keys()]);
  return sendContent(
    response,
    endpoint === 'blobs' ? stored.blobs.get(reference) : tagsOf(stored, repository).get(reference),
    endpoint === 'blobs' && options.corrupt === true,
  );
}

function sendContent(response: ServerResponse, text: string | undefined, corrupt: boolean): unknown {
  if (text === undefined) return response.writeHead(404).end('{"errors":[{"code":"MANIFEST_UNKNOWN"}]}');
  return response.writeHead(200).end(corrupt ? `${text}#` : text);
}

function isAuthorized(method: string, authorization: string | undefined): boolean {
  const allowed = method === 'GET' ? Object.values(tokens) : [tokens['pull,push']];
  return allowed.some((token) => authorization === `Bearer ${token}`);
}

function store(
  response: ServerResponse,
  stored: Stored,
  url: URL,
  [repository, reference]: readonly [string, string],
  body: Buffer,
): unknown {
  const text = body.toString('utf8');
  const digest = url.searchParams.get('digest');
  if (digest === null) tagsOf(stored, repository).set(reference, text);
  else if (digestOf(text) === digest && url.searchParams.get('state') === 'x') stored.blobs.set(digest, text);
  else return response.writeHead(400).end();
  return response.writeHead(201).end();
}

async function giveToken(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { login, refreshToken }: OciServerOptions,
): Promise<unknown> {
  const form = new URLSearchParams(request.method === 'POST' ? (await buffer(request)).toString('utf8') : url.search);
  const basic =
    login === undefined ? undefined : `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
  const isKnown =
    refreshToken === undefined
      ? basic === undefined || request.headers.authorization === basic
      : form.get('grant_type') === 'refresh_token' && form.get('refresh_token') === refreshToken;
  if (!isKnown) return response.writeHead(401).end();
  const [, action = ''] = /^repository:.+:(pull|pull,push)$/.exec(form.get('scope') ?? '') ?? [];
  const token = tokens[action as keyof typeof tokens] as string | undefined;
  if (form.get('service') !== 'registry.test' || token === undefined) return response.writeHead(400).end();
  const name = refreshToken === undefined ? 'token' : 'access_token';
  return response.writeHead(200).end(JSON.stringify({ [name]: token }));
}

function tagsOf({ manifests }: Stored, repository: string): Map<string, string> {
  const tags = manifests.get(repository) ?? new Map<string, string>();
  manifests.set(repository, tags);
  return tags;
}

function listTags(response: ServerResponse, url: URL, name: string, tags: readonly string[]): unknown {
  if (tags.length === 0) return response.writeHead(404).end();
  const start = Number(url.searchParams.get('from') ?? 0);
  const next = start + pageSize < tags.length ? { link: `<${url.pathname}?from=${start + pageSize}>; rel="next"` } : {};
  return response.writeHead(200, next).end(JSON.stringify({ name, tags: tags.slice(start, start + pageSize) }));
}

function manifestOf(files: Readonly<Record<string, string>>): string {
  const layers = Object.entries(files).map(([title, text]) => ({
    mediaType: 'application/vnd.oci.image.layer.v1.tar',
    digest: digestOf(text),
    size: Buffer.byteLength(text),
    annotations: { 'org.opencontainers.image.title': title },
  }));
  return JSON.stringify({ schemaVersion: 2, mediaType: 'application/vnd.oci.image.manifest.v1+json', layers });
}

function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
