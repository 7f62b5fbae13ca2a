import { request } from 'node:https';
import { type Clock, tlsTrust } from '@slipway/base';
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
      return parseObject(await this.#fetchText(url, abort.signal), url);
    } finally {
      timer.cancel();
    }
  }

  #fetchText(url: string, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      const call = request(url, { ...tlsTrust(this.issuer.certificateAuthority), signal }, (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('error', reject);
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > documentBytesMax) response.destroy(new Error(`${url} is too large`));
          else chunks.push(chunk);
        });
        response.on('end', () => {
          if (response.statusCode !== 200) reject(new Error(`${url} responded with status ${response.statusCode}`));
          else resolve(Buffer.concat(chunks).toString('utf8'));
        });
      });
      call.on('error', reject);
      call.end();
    });
  }
}

function parseObject(text: string, url: string): object {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error(`${url} is not a JSON object`);
  return value;
}
