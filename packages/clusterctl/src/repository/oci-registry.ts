import { createHash } from 'node:crypto';
import { ClusterctlError } from '../clusterctl-error.js';
import { type FetchedResponse, fetchUrl, type FetchWorld } from '../fetch/index.js';

/** Who asks; anonymous when all are absent. */
export interface OciCredentials {
  readonly username?: string;
  readonly password?: string;
  readonly accessToken?: string;
}

interface Descriptor {
  readonly digest: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const titleAnnotation = 'org.opencontainers.image.title';
const tagsPagesMax = 100;

/** Files in the artifacts of an OCI registry: each a layer that its title names, as `oras push` writes them. */
export class OciRegistry {
  readonly #host: string;
  readonly #plainHttp: boolean;
  readonly #world: FetchWorld;
  readonly #credentials: OciCredentials;
  readonly #layers = new Map<string, Promise<ReadonlyMap<string, string> | undefined>>();
  #authorization: string | undefined;

  /** `host[:port]`; with `http://` before it, it is spoken to without encryption. */
  constructor(host: string, credentials: OciCredentials, world: FetchWorld) {
    this.#plainHttp = host.startsWith('http://');
    this.#host = host.replace(/^http:\/\//, '');
    this.#world = world;
    this.#credentials = credentials;
  }

  async tags(repository: string): Promise<readonly string[]> {
    const tags: string[] = [];
    let path: string | undefined = `/v2/${repository}/tags/list`;
    for (let page = 0; path !== undefined && page < tagsPagesMax; page += 1) {
      const response = await this.#get(repository, path);
      if (response.status === 404) return tags;
      const { tags: more } = this.#json(response, path) as { readonly tags?: readonly string[] | null };
      tags.push(...(more ?? []));
      // The next page, as registries name it: `</v2/…>; rel="next"`.
      const [, next] = /<([^>]+)>;\s*rel="?next"?/.exec(String(response.headers.link ?? '')) ?? [];
      path = next;
    }
    return tags;
  }

  /** Undefined when there is no such artifact, or no such file in it. */
  async readFile(repository: string, reference: string, file: string): Promise<string | undefined> {
    const key = `${repository}:${reference}`;
    const known = this.#layers.get(key) ?? this.#readLayers(repository, reference);
    this.#layers.set(key, known);
    const digest = (await known)?.get(file);
    return digest === undefined ? undefined : this.#readBlob(repository, digest);
  }

  /** Digests by title. */
  async #readLayers(repository: string, reference: string): Promise<ReadonlyMap<string, string> | undefined> {
    const path = `/v2/${repository}/manifests/${reference}`;
    const response = await this.#get(repository, path);
    if (response.status === 404) return undefined;
    const { layers = [] } = this.#json(response, path) as { readonly layers?: readonly Descriptor[] };
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
    if (response.status !== 200) throw this.#unexpected(response, path);
    const [algorithm = '', wanted = ''] = digest.split(':');
    if (algorithm !== 'sha256' || createHash('sha256').update(response.body).digest('hex') !== wanted)
      throw new ClusterctlError(`${this.#host}${path} is not what its digest says`, {
        remedy: 'the registry or something on the way is broken: nothing of it was used',
      });
    return response.body.toString('utf8');
  }

  /** Registries say by a challenge whom to ask for a token. */
  async #get(repository: string, path: string): Promise<FetchedResponse> {
    const response = await this.#send(path);
    if (response.status !== 401) return response;
    this.#authorization = await this.#authorize(repository, String(response.headers['www-authenticate'] ?? ''));
    const again = await this.#send(path);
    if (again.status === 401 || again.status === 403)
      throw new ClusterctlError(`${this.#host} does not let us read ${repository}: got ${again.status}`, {
        remedy: 'set OCI_USERNAME and OCI_PASSWORD, or OCI_ACCESS_TOKEN',
      });
    return again;
  }

  #send(path: string): Promise<FetchedResponse> {
    const headers = {
      accept: `${manifestType}, application/json, */*`,
      ...(this.#authorization !== undefined && { authorization: this.#authorization }),
    };
    const base = `${this.#plainHttp ? 'http' : 'https'}://${this.#host}`;
    return fetchUrl(new URL(path, base).href, this.#world, { headers, plainHttp: this.#plainHttp });
  }

  async #authorize(repository: string, challenge: string): Promise<string> {
    const { username, password, accessToken } = this.#credentials;
    if (accessToken !== undefined) return `Bearer ${accessToken}`;
    const basic =
      username === undefined ? undefined : `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`;
    if (/^basic/i.test(challenge)) return basic ?? '';
    const { realm, service } = parametersOf(challenge);
    if (realm === undefined) throw new ClusterctlError(`${this.#host} wants to know who asks, but not how`);
    const address = new URL(realm);
    if (service !== undefined) address.searchParams.set('service', service);
    address.searchParams.set('scope', `repository:${repository}:pull`);
    const response = await fetchUrl(address.href, this.#world, {
      headers: basic === undefined ? {} : { authorization: basic },
      plainHttp: this.#plainHttp,
    });
    const answer = this.#json(response, address.pathname) as {
      readonly token?: string;
      readonly access_token?: string;
    };
    return `Bearer ${answer.token ?? answer.access_token ?? ''}`;
  }

  #json(response: FetchedResponse, path: string): unknown {
    if (response.status !== 200) throw this.#unexpected(response, path);
    try {
      return JSON.parse(response.body.toString('utf8')) as unknown;
    } catch (error) {
      throw new ClusterctlError(`${this.#host}${path} does not answer in JSON: is it a registry?`, { cause: error });
    }
  }

  #unexpected({ status }: FetchedResponse, path: string): ClusterctlError {
    return new ClusterctlError(`cannot fetch ${this.#host}${path}: got ${status}`);
  }
}

/** `Bearer realm="…",service="…"` */
function parametersOf(challenge: string): { readonly realm?: string; readonly service?: string } {
  return Object.fromEntries([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
}
