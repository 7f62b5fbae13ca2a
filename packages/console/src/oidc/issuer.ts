import { type Clock, httpsExchange, tlsTrust } from '@slipway/base';

/** An OpenID Connect issuer and the console's registration there. */
export interface OidcClient {
  readonly issuer: string;
  /** URL of the discovery document, if it is not below the issuer. */
  readonly discoveryUrl?: string | undefined;
  /** CA certificates in PEM for connections to the issuer. Default: those of the system. */
  readonly certificateAuthority?: string | undefined;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret?: string | undefined;
  readonly scopes: readonly string[];
}

interface Endpoints {
  readonly authorization: string;
  readonly token: string;
  /** Whether the client secret is sent in the body. Default: in the Authorization header. */
  readonly secretInBody: boolean;
}

const callMsMax = 10_000;
const documentBytesMax = 1024 * 1024;
/** Anyone can start a sign-in. Further ones fail while this many requests to the issuer are open. */
const openCallsMax = 32;

/** Calls the endpoints of an issuer. */
export class Issuer {
  #endpoints: Promise<Endpoints> | undefined;
  #openCalls = 0;

  constructor(
    readonly client: OidcClient,
    private readonly clock: Clock,
  ) {}

  /** Reads the discovery document, again after a failure. */
  endpoints(): Promise<Endpoints> {
    this.#endpoints ??= this.#discover().catch((error: unknown) => {
      this.#endpoints = undefined;
      throw error;
    });
    return this.#endpoints;
  }

  /** Exchanges an authorization code for an ID token. */
  async redeem(code: string, verifier: string, redirectUri: string): Promise<string> {
    const { clientId, clientSecret } = this.client;
    const { token: url, secretInBody } = await this.endpoints();
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: clientId,
      code_verifier: verifier,
    });
    const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
    if (clientSecret !== undefined && secretInBody) form.set('client_secret', clientSecret);
    else if (clientSecret !== undefined) headers['authorization'] = basicCredentials(clientId, clientSecret);
    const answer = await this.#call(url, { method: 'POST', headers, body: form.toString() });
    const { id_token: token } = answer;
    if (typeof token !== 'string') throw new Error(`the response of ${url} has no id_token`);
    return token;
  }

  async #discover(): Promise<Endpoints> {
    const { issuer, discoveryUrl } = this.client;
    const document = await this.#call(discoveryUrl ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    if (document['issuer'] !== issuer)
      throw new Error(`the discovery document names the issuer "${String(document['issuer'])}" instead of "${issuer}"`);
    const methods = document['token_endpoint_auth_methods_supported'];
    return {
      authorization: httpsUrl(document, 'authorization_endpoint'),
      token: httpsUrl(document, 'token_endpoint'),
      secretInBody:
        Array.isArray(methods) && methods.includes('client_secret_post') && !methods.includes('client_secret_basic'),
    };
  }

  async #call(url: string, request: object = {}): Promise<Readonly<Record<string, unknown>>> {
    if (this.#openCalls >= openCallsMax) throw new Error('too many sign-ins are in progress');
    this.#openCalls += 1;
    const abort = new AbortController();
    const timer = this.clock.setTimer(callMsMax, () => abort.abort(new Error(`${url} did not respond in time`)));
    try {
      const trust = tlsTrust(this.client.certificateAuthority);
      const call = { ...request, ...trust, signal: abort.signal, bytesMax: documentBytesMax };
      const { status, text } = await httpsExchange(url, call);
      if (status !== 200) throw new Error(`${url} responded with status ${status}${errorIn(text)}`);
      const value: unknown = JSON.parse(text);
      if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
      throw new Error(`${url} did not respond with a JSON object`);
    } finally {
      timer.cancel();
      this.#openCalls -= 1;
    }
  }
}

function httpsUrl(document: Readonly<Record<string, unknown>>, name: string): string {
  const url = document[name];
  if (typeof url === 'string' && URL.canParse(url) && new URL(url).protocol === 'https:') return url;
  throw new Error(`the discovery document has no ${name} with the scheme https`);
}

/** Encodes both parts as RFC 6749, section 2.3.1 requires. */
function basicCredentials(clientId: string, secret: string): string {
  const encoded = [clientId, secret].map((part) => new URLSearchParams({ '': part }).toString().slice(1));
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}

/** Returns the error code of RFC 6749 in a response, for the log. The rest of the response could contain tokens. */
function errorIn(text: string): string {
  const code = /"error"\s*:\s*"([\w.-]{1,60})"/.exec(text)?.[1];
  return code === undefined ? '' : ` (${code})`;
}
