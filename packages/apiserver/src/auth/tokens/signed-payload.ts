import { textAt } from '@slipway/kube';
import { createHash } from 'node:crypto';
import type { Clock } from '@slipway/base';
import { CompactSign, compactVerify } from 'jose';
import type { ServiceAccountKeys, VerificationKey } from './service-account-keys.js';
import { TokenRefused } from './token-authenticator.js';

export function signPayload(keys: ServiceAccountKeys, json: string): Promise<string> {
  const { id, algorithm, privateKey } = keys.signing;
  const payload = new TextEncoder().encode(json);
  return new CompactSign(payload).setProtectedHeader({ alg: algorithm, kid: id }).sign(privateKey);
}

const rememberedForMs = 600_000;

/** Verifies token signatures. Payloads of valid tokens are cached by token hash, for a limited time and number. */
export class SignatureCheck {
  readonly #known = new Map<string, { readonly payload: unknown; readonly until: number }>();

  constructor(
    readonly keys: ServiceAccountKeys,
    readonly clock: Clock,
    readonly cacheSize = 4096,
  ) {}

  /** Whether the token claims this issuer. Does not verify the signature. */
  isFrom(token: string, issuer: string): boolean {
    return textAt(partOf(token, 1), 'iss') === issuer;
  }

  /** Returns the payload of a token if one of the server's keys signed it. Throws TokenRefused otherwise. */
  async verified(token: string): Promise<unknown> {
    const key = createHash('sha256').update(token).digest('base64');
    const now = this.clock.monotonic();
    const cached = this.#known.get(key);
    if (cached !== undefined && cached.until > now) return cached.payload;
    const payload = await this.#verify(token);
    this.#known.delete(key);
    if (this.#known.size >= this.cacheSize) {
      const oldest = this.#known.keys().next().value;
      if (oldest !== undefined) this.#known.delete(oldest);
    }
    this.#known.set(key, { payload, until: now + rememberedForMs });
    return payload;
  }

  async #verify(token: string): Promise<unknown> {
    const id = textAt(partOf(token, 0), 'kid');
    const candidates = id === '' ? this.keys.all : this.keys.all.filter((key) => key.id === id);
    if (candidates.length === 0) throw new TokenRefused('invalid signature, no keys found');
    for (const candidate of candidates) {
      const bytes = await payloadOf(token, candidate);
      if (bytes !== undefined) return parseJson(bytes);
    }
    throw new TokenRefused('go-jose/go-jose: error in cryptographic primitive');
  }
}

async function payloadOf(token: string, candidate: VerificationKey): Promise<Uint8Array | undefined> {
  try {
    // Use the algorithm of the key, never that of the token: this prevents `none` and a public key used as HMAC secret.
    const verified = await compactVerify(token, candidate.key, { algorithms: [candidate.algorithm] });
    return verified.payload;
  } catch {
    return undefined;
  }
}

function partOf(token: string, index: 0 | 1): unknown {
  const parts = token.split('.', 4);
  const text = parts.length === 3 ? parts[index] : undefined;
  return text === undefined ? undefined : parseJson(Buffer.from(text, 'base64url'));
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
