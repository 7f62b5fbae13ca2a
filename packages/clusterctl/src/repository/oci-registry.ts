import { createHash } from 'node:crypto';
import { ClusterctlError } from '../clusterctl-error.js';
import type { FetchedResponse, FetchDependencies } from '../fetch/index.js';
import { type OciCredentials, OciSession } from './oci-session.js';

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly annotations?: Readonly<Record<string, string>>;
}

const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const layerType = 'application/vnd.oci.image.layer.v1.tar';
const emptyType = 'application/vnd.oci.empty.v1+json';
/** The artifact type in registry listings. */
const artifactType = 'application/vnd.slipway.provider.v1';
const titleAnnotation = 'org.opencontainers.image.title';
const tagsPagesMax = 100;

/** Reads and writes files in OCI artifacts: one layer per file with a title annotation, as `oras push` writes them. */
export class OciRegistry {
  readonly #session: OciSession;
  readonly #layers = new Map<string, Promise<ReadonlyMap<string, string> | undefined>>();

  /** `host` is `host[:port]`. A prefix `http://` selects plain HTTP. */
  constructor(host: string, credentials: OciCredentials, dependencies: FetchDependencies) {
    this.#session = new OciSession(host, credentials, dependencies);
  }

  async tags(repository: string): Promise<readonly string[]> {
    const tags: string[] = [];
    let path: string | undefined = `/v2/${repository}/tags/list`;
    for (let page = 0; path !== undefined && page < tagsPagesMax; page += 1) {
      const response = await this.#get(repository, path);
      if (response.status === 404) return tags;
      const { tags: more } = this.#session.json(response, path) as { readonly tags?: readonly string[] | null };
      tags.push(...(more ?? []));
      // The Link header with the next page: `</v2/…>; rel="next"`.
      const [, next] = /<([^>]+)>;\s*rel="?next"?/.exec(String(response.headers.link ?? '')) ?? [];
      path = next;
    }
    return tags;
  }

  /** Returns the content of a file. Undefined if the artifact or the file does not exist. */
  async readFile(repository: string, reference: string, file: string): Promise<string | undefined> {
    const key = `${repository}:${reference}`;
    const cached = this.#layers.get(key) ?? this.#readLayers(repository, reference);
    this.#layers.set(key, cached);
    const digest = (await cached)?.get(file);
    return digest === undefined ? undefined : this.#readBlob(repository, digest);
  }

  /** Pushes files as one artifact and returns its digest. An existing tag is moved. */
  async push(repository: string, tag: string, files: ReadonlyMap<string, string>): Promise<string> {
    const config = await this.#pushBlob(repository, Buffer.from('{}'), emptyType);
    const layers: Descriptor[] = [];
    for (const [title, text] of files) {
      const layer = await this.#pushBlob(repository, Buffer.from(text), layerType);
      layers.push({ ...layer, annotations: { [titleAnnotation]: title } });
    }
    const body = Buffer.from(
      JSON.stringify({ schemaVersion: 2, mediaType: manifestType, artifactType, config, layers }),
    );
    const path = `/v2/${repository}/manifests/${tag}`;
    const headers = { 'content-type': manifestType };
    const response = await this.#session.send(repository, 'pull,push', path, { method: 'PUT', body, headers });
    if (response.status !== 201) throw this.#session.unexpected(response, path);
    return digestOf(body);
  }

  async #pushBlob(repository: string, body: Buffer, mediaType: string): Promise<Descriptor> {
    const digest = digestOf(body);
    const send: (...given: [path: string, request: object]) => Promise<FetchedResponse> = (path, request) =>
      this.#session.send(repository, 'pull,push', path, request);
    const descriptor = { mediaType, digest, size: body.length };
    const found = await send(`/v2/${repository}/blobs/${digest}`, { method: 'HEAD' });
    if (found.status === 200) return descriptor;
    const begin = `/v2/${repository}/blobs/uploads/`;
    const begun = await send(begin, { method: 'POST', body: Buffer.alloc(0) });
    const { location } = begun.headers;
    if (begun.status !== 202 || location === undefined) throw this.#session.unexpected(begun, begin);
    const path = `${location}${location.includes('?') ? '&' : '?'}digest=${encodeURIComponent(digest)}`;
    const headers = { 'content-type': 'application/octet-stream' };
    const done = await send(path, { method: 'PUT', body, headers });
    if (done.status !== 201) throw this.#session.unexpected(done, begin);
    return descriptor;
  }

  /** Returns the digests of layers by title. */
  async #readLayers(repository: string, reference: string): Promise<ReadonlyMap<string, string> | undefined> {
    const path = `/v2/${repository}/manifests/${reference}`;
    const response = await this.#get(repository, path);
    if (response.status === 404) return undefined;
    const { layers = [] } = this.#session.json(response, path) as { readonly layers?: readonly Descriptor[] };
    return new Map(
      layers.flatMap(({ digest, annotations }) => {
        const title = annotations?.[titleAnnotation];
        return title === undefined ? [] : [[title, digest] as const];
      }),
    );
  }

  async #readBlob(repository: string, digest: string): Promise<string> {
    const path = `/v2/${repository}/blobs/${digest}`;
    const response = await this.#get(repository, path);
    if (response.status !== 200) throw this.#session.unexpected(response, path);
    if (digestOf(response.body) !== digest)
      throw new ClusterctlError(`the content of ${this.#session.host}${path} does not match its digest`, {
        remedy: 'the content was discarded; check the registry and any proxy on the way to it',
      });
    return response.body.toString('utf8');
  }

  #get(repository: string, path: string): Promise<FetchedResponse> {
    const headers = { accept: `${manifestType}, application/json, */*` };
    return this.#session.send(repository, 'pull', path, { headers });
  }
}

function digestOf(body: Buffer): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`;
}
