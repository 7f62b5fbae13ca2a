import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHttpsServer, type TestHttpsServer } from './https-server.js';

/** `repository` → tag → file → text. */
export type Artifacts = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

export interface OciServerOptions {
  /** Whom the registry lets in; everybody with a token when absent. */
  readonly login?: { readonly username: string; readonly password: string };
  /** Answers blobs with something else. */
  readonly corrupt?: boolean;
}

const token = 'the-token';
const pageSize = 2;

/** As much of an OCI registry as pulling takes: tokens, pages of tags, manifests and blobs. */
export async function startOciServer(artifacts: Artifacts, options: OciServerOptions = {}): Promise<TestHttpsServer> {
  const blobs = new Map<string, string>();
  for (const tags of Object.values(artifacts))
    for (const files of Object.values(tags)) for (const text of Object.values(files)) blobs.set(digestOf(text), text);
  const server = await startHttpsServer((request, response) => {
    const url = new URL(request.url ?? '', 'https://localhost');
    if (url.pathname === '/token') return giveToken(request, response, url, options);
    if (request.headers.authorization !== `Bearer ${token}`) {
      const challenge = `Bearer realm="https://${request.headers.host}/token",service="registry.test"`;
      return response.writeHead(401, { 'www-authenticate': challenge }).end();
    }
    const [, repository = '', what = '', reference = ''] =
      /^\/v2\/(.+)\/(tags|manifests|blobs)\/(.+)$/.exec(url.pathname) ?? [];
    if (what === 'tags') return listTags(response, url, repository, Object.keys(artifacts[repository] ?? {}));
    const text = what === 'blobs' ? blobs.get(reference) : manifestOf(artifacts[repository]?.[reference]);
    if (text === undefined) return response.writeHead(404).end('{"errors":[{"code":"MANIFEST_UNKNOWN"}]}');
    return response.writeHead(200).end(what === 'blobs' && options.corrupt === true ? `${text}#` : text);
  });
  return server;
}

function giveToken(request: IncomingMessage, response: ServerResponse, url: URL, { login }: OciServerOptions): unknown {
  const wanted =
    login === undefined ? undefined : `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
  if (wanted !== undefined && request.headers.authorization !== wanted) return response.writeHead(401).end();
  const isAsked =
    url.searchParams.get('service') === 'registry.test' &&
    /^repository:.+:pull$/.test(url.searchParams.get('scope') ?? '');
  return isAsked ? response.writeHead(200).end(JSON.stringify({ token })) : response.writeHead(400).end();
}

function listTags(response: ServerResponse, url: URL, name: string, tags: readonly string[]): unknown {
  if (tags.length === 0) return response.writeHead(404).end();
  const start = Number(url.searchParams.get('from') ?? 0);
  const next = start + pageSize < tags.length ? { link: `<${url.pathname}?from=${start + pageSize}>; rel="next"` } : {};
  return response.writeHead(200, next).end(JSON.stringify({ name, tags: tags.slice(start, start + pageSize) }));
}

function manifestOf(files: Readonly<Record<string, string>> | undefined): string | undefined {
  if (files === undefined) return undefined;
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
