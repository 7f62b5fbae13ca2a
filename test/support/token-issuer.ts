import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { exportJWK, type JWK, SignJWT } from 'jose';
import { OpensslAuthority } from './openssl-certificates.js';

interface SigningKey {
  readonly id: string;
  readonly algorithm: 'RS256' | 'ES256';
  readonly privateKey: KeyObject;
  readonly publicJwk: JWK;
}

/** An OpenID Connect issuer on loopback: discovery document and keys over HTTPS, and tokens with any claims. */
export class TokenIssuer {
  readonly certificateAuthority: string;
  #keys: readonly SigningKey[] = [];

  private constructor(
    private readonly server: Server,
    authority: OpensslAuthority,
  ) {
    this.certificateAuthority = readFileSync(authority.certificateFile, 'utf8');
    server.on('request', (request, response) => {
      const documents: Record<string, unknown> = {
        '/.well-known/openid-configuration': { issuer: this.url, jwks_uri: `${this.url}/keys` },
        '/discovery-elsewhere': { issuer: this.elsewhereUrl, jwks_uri: `${this.url}/keys` },
        '/keys': { keys: this.#keys.map(({ publicJwk }) => publicJwk) },
      };
      const document = documents[request.url ?? ''];
      response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(document ?? {}));
    });
  }

  static async start(folder: string): Promise<TokenIssuer> {
    const authority = new OpensslAuthority(folder, 'issuer-ca');
    const names = ['subjectAltName=IP:127.0.0.1', 'extendedKeyUsage=serverAuth'];
    const { certificateFile, keyFile } = authority.issue('issuer', '/CN=issuer', names);
    const server = createServer({ cert: readFileSync(certificateFile), key: readFileSync(keyFile) });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = new TokenIssuer(server, authority);
    await issuer.addKey('first', 'RS256');
    return issuer;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** An issuer without a discovery document at its own URL. */
  get elsewhereUrl(): string {
    return 'https://elsewhere.example.com';
  }

  async addKey(id: string, algorithm: SigningKey['algorithm']): Promise<void> {
    const { privateKey, publicKey } =
      algorithm === 'RS256'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const publicJwk = { ...(await exportJWK(publicKey)), kid: id, alg: algorithm, use: 'sig' };
    this.#keys = [...this.#keys, { id, algorithm, privateKey, publicJwk }];
  }

  /** Signs claims with the latest key, for an hour unless `exp` is given. */
  async sign(claims: Record<string, unknown>): Promise<string> {
    const key = this.#keys.at(-1);
    if (key === undefined) throw new Error('the issuer has no key');
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ iss: this.url, aud: 'kubernetes', iat: now, exp: now + 3600, ...claims })
      .setProtectedHeader({ alg: key.algorithm, kid: key.id })
      .sign(key.privateKey);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
