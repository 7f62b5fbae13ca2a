import { type Clock, httpsExchange, tlsTrust } from '@slipway/base';
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import type { JwtIssuerConfiguration } from './configuration.js';

/** Verification keys of an issuer, as jose takes them. */
type KeyLookup = ReturnType<typeof createLocalJWKSet>;

const fetchTimeoutMs = 10_000;
const documentBytesMax = 1024 * 1024;
/** The keys are fetched again at most this often: anyone can send tokens with unknown key IDs. */
const refetchPauseMs = 1_000;

/** Fetches the keys of an issuer by OpenID Connect discovery, on first use and when a token names an unknown key. */
export class IssuerKeys {
  #current: { readonly lookup: KeyLookup; readonly fetchedAt: number } | undefined;
  #pending: Promise<KeyLookup> | undefined;

  constructor(
    private readonly issuer: Pick<JwtIssuerConfiguration, 'url' | 'discoveryUrl' | 'certificateAuthority'>,
    private readonly clock: Clock,
  ) {}

  async get(): Promise<KeyLookup> {
    return this.#current?.lookup ?? (await this.#fetch());
  }

  /**
   * Returns keys that were fetched after the current ones, or undefined if the current keys were fetched too recently.
   */
  async refreshed(): Promise<KeyLookup | undefined> {
    const { fetchedAt = -Infinity } = this.#current ?? {};
    return this.clock.monotonic() - fetchedAt < refetchPauseMs ? undefined : this.#fetch();
  }

  #fetch(): Promise<KeyLookup> {
    this.#pending ??= this.#load().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #load(): Promise<KeyLookup> {
    const { url, discoveryUrl } = this.issuer;
    const document = await this.#read(discoveryUrl ?? `${url.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const { issuer, jwks_uri: keysUrl } = document as { issuer?: unknown; jwks_uri?: unknown };
    if (issuer !== url)
      throw new Error(`the discovery document names the issuer "${String(issuer)}" instead of "${url}"`);
    if (typeof keysUrl !== 'string') throw new Error('the discovery document has no jwks_uri');
    const lookup = createLocalJWKSet((await this.#read(keysUrl)) as unknown as JSONWebKeySet);
    this.#current = { lookup, fetchedAt: this.clock.monotonic() };
    return lookup;
  }

  async #read(url: string): Promise<object> {
    const abort = new AbortController();
    const timer = this.clock.setTimer(fetchTimeoutMs, () => abort.abort(new Error(`${url} did not respond in time`)));
    try {
      const trust = tlsTrust(this.issuer.certificateAuthority);
      const { status, text } = await httpsExchange(url, {
        ...trust,
        signal: abort.signal,
        bytesMax: documentBytesMax,
      });
      if (status !== 200) throw new Error(`${url} responded with status ${status}`);
      return parseObject(text, url);
    } finally {
      timer.cancel();
    }
  }
}

function parseObject(text: string, url: string): object {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error(`${url} is not a JSON object`);
  return value;
}
