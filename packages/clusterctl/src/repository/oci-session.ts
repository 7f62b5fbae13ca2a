import { ClusterctlError } from '../clusterctl-error.js';
import { type FetchedResponse, type FetchOptions, fetchUrl, type FetchDependencies } from '../fetch/index.js';

/** Registry credentials. Access is anonymous if all are absent. */
export interface OciCredentials {
  readonly username?: string;
  readonly password?: string;
  /** Token that is sent as a bearer token. */
  readonly accessToken?: string;
  /** Token that is exchanged for an access token at the token realm of the registry. */
  readonly refreshToken?: string;
}

/** The access scope of a token. */
export type OciAction = 'pull' | 'pull,push';

type OciRequest = Pick<FetchOptions, 'method' | 'body' | 'headers'>;

const clientId = 'slipway';

/** Authenticated requests to one registry. */
export class OciSession {
  readonly host: string;
  readonly #plainHttp: boolean;
  readonly #dependencies: FetchDependencies;
  readonly #credentials: OciCredentials;
  #authorization: string | undefined;

  /** `host` is `host[:port]`. A prefix `http://` selects plain HTTP. */
  constructor(host: string, credentials: OciCredentials, dependencies: FetchDependencies) {
    this.#plainHttp = host.startsWith('http://');
    this.host = host.replace(/^http:\/\//, '');
    this.#dependencies = dependencies;
    this.#credentials = credentials;
  }

  /** Sends a request. If the registry responds with a WWW-Authenticate challenge, gets a token from the realm in it. */
  async send(repository: string, action: OciAction, path: string, request: OciRequest = {}): Promise<FetchedResponse> {
    const response = await this.#sendOnce(path, request);
    if (response.status !== 401) return response;
    const challenge = String(response.headers['www-authenticate'] ?? '');
    this.#authorization = await this.#authorize(repository, action, challenge);
    const again = await this.#sendOnce(path, request);
    if (again.status === 401 || again.status === 403)
      throw new ClusterctlError(
        `${this.host} denied ${action === 'pull' ? 'read' : 'write'} access to ${repository}: status ${again.status}`,
        { remedy: 'set OCI_USERNAME and OCI_PASSWORD, OCI_ACCESS_TOKEN, or OCI_REFRESH_TOKEN' },
      );
    return again;
  }

  json(response: FetchedResponse, path: string): unknown {
    if (response.status !== 200) throw this.unexpected(response, path);
    try {
      return JSON.parse(response.body.toString('utf8')) as unknown;
    } catch (error) {
      throw new ClusterctlError(`${this.host}${path} did not return JSON; check that the host is an OCI registry`, {
        cause: error,
      });
    }
  }

  unexpected({ status }: FetchedResponse, path: string): ClusterctlError {
    return new ClusterctlError(`unexpected status ${status} from ${this.host}${path}`);
  }

  #sendOnce(path: string, { headers = {}, ...request }: OciRequest): Promise<FetchedResponse> {
    const base = `${this.#plainHttp ? 'http' : 'https'}://${this.host}`;
    const address = new URL(path, base);
    // An upload may be redirected to another host, which must not get these credentials.
    const isOwn = address.host === new URL(base).host;
    const authorization =
      isOwn && this.#authorization !== undefined ? { authorization: this.#authorization } : undefined;
    return fetchUrl(address.href, this.#dependencies, {
      ...request,
      headers: { ...headers, ...authorization },
      plainHttp: this.#plainHttp,
    });
  }

  async #authorize(repository: string, action: OciAction, challenge: string): Promise<string> {
    const { username, password, accessToken, refreshToken } = this.#credentials;
    if (accessToken !== undefined) return `Bearer ${accessToken}`;
    const basic =
      username === undefined ? undefined : `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`;
    if (/^basic/i.test(challenge)) return basic ?? '';
    const { realm, service } = parametersOf(challenge);
    if (realm === undefined)
      throw new ClusterctlError(`${this.host} requires authentication but does not specify a token realm`);
    const address = new URL(realm);
    const parameters = new URLSearchParams({
      ...(service !== undefined && { service }),
      scope: `repository:${repository}:${action}`,
    });
    const response =
      refreshToken === undefined
        ? await this.#askForToken(address, parameters, basic)
        : await this.#refreshToken(address, parameters, refreshToken);
    const { token, access_token } = this.json(response, address.pathname) as {
      readonly token?: string;
      readonly access_token?: string;
    };
    return `Bearer ${token ?? access_token ?? ''}`;
  }

  #askForToken(address: URL, parameters: URLSearchParams, basic: string | undefined): Promise<FetchedResponse> {
    for (const [name, value] of parameters) address.searchParams.set(name, value);
    return fetchUrl(address.href, this.#dependencies, {
      headers: basic === undefined ? {} : { authorization: basic },
      plainHttp: this.#plainHttp,
    });
  }

  /** Sends the refresh token in the body, as OAuth 2 requires: URLs are logged. */
  #refreshToken(address: URL, parameters: URLSearchParams, refreshToken: string): Promise<FetchedResponse> {
    parameters.set('grant_type', 'refresh_token');
    parameters.set('client_id', clientId);
    parameters.set('refresh_token', refreshToken);
    return fetchUrl(address.href, this.#dependencies, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(parameters.toString()),
      plainHttp: this.#plainHttp,
    });
  }
}

/** Parses `Bearer realm="…",service="…"`. */
function parametersOf(challenge: string): { readonly realm?: string; readonly service?: string } {
  return Object.fromEntries([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
}
