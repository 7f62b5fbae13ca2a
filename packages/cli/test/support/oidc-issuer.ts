import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { systemClock, systemRandom } from '@slipway/base';
import {
  certificateToPem,
  createCa,
  generatePrivateKey,
  issueCertificate,
  privateKeyToPem,
  publicKeyOf,
  servingTemplate,
} from '@slipway/pki';

interface Grant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly nonce: string;
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/**
 * An OpenID Connect issuer on loopback whose only user is always signed in. It rejects what RFC 6749 and RFC 7636 require it to
 * reject: unregistered redirect URIs, used codes, wrong verifiers and wrong client credentials.
 */
export class OidcIssuer {
  readonly clientId = 'slipway-console';
  readonly clientSecret = 'secret of the & client';
  /** The registered redirect URI. */
  redirectUri = '';
  /** Claims that replace those of the next ID tokens. */
  claims: Readonly<Record<string, unknown>> = {};
  readonly #grants = new Map<string, Grant>();

  private constructor(
    private readonly server: Server,
    readonly certificateAuthority: string,
  ) {
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<OidcIssuer> {
    const dependencies = { clock: systemClock, random: systemRandom };
    const ca = await createCa(dependencies, { commonName: 'issuer-ca', key: await generatePrivateKey('ECDSA') });
    const key = await generatePrivateKey('ECDSA');
    const certificate = await issueCertificate(
      dependencies,
      ca,
      servingTemplate('issuer', ['127.0.0.1']),
      publicKeyOf(key),
    );
    const server = createServer({ cert: certificateToPem(certificate), key: privateKeyToPem(key) });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new OidcIssuer(server, certificateToPem(ca.certificate));
  }

  get url(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    if (pathname === '/authorize') {
      const { status, location } = this.#authorize(searchParams);
      response.writeHead(status, location === undefined ? {} : { location }).end();
      return;
    }
    const { status, body } = pathname === '/token' ? await this.#token(request) : this.#document(pathname);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  #document(path: string): { readonly status: number; readonly body: object } {
    if (path === '/.well-known/openid-configuration') {
      const endpoints = { authorization_endpoint: `${this.url}/authorize`, token_endpoint: `${this.url}/token` };
      return { status: 200, body: { issuer: this.url, jwks_uri: `${this.url}/keys`, ...endpoints } };
    }
    if (path !== '/keys') return { status: 404, body: {} };
    return { status: 200, body: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256' }] } };
  }

  #authorize(query: URLSearchParams): { readonly status: number; readonly location?: string } {
    const of = (name: string): string => query.get(name) ?? '';
    if (of('client_id') !== this.clientId || of('redirect_uri') !== this.redirectUri) return { status: 400 };
    const isValid =
      of('response_type') === 'code' &&
      of('code_challenge_method') === 'S256' &&
      of('code_challenge').length === 43 &&
      of('scope').split(' ').includes('openid');
    const back = new URL(this.redirectUri);
    back.searchParams.set('state', of('state'));
    if (!isValid) back.searchParams.set('error', 'invalid_request');
    else {
      const code = Buffer.from(systemRandom.bytes(16)).toString('hex');
      this.#grants.set(code, {
        clientId: of('client_id'),
        redirectUri: of('redirect_uri'),
        challenge: of('code_challenge'),
        nonce: of('nonce'),
      });
      back.searchParams.set('code', code);
    }
    return { status: 302, location: back.href };
  }

  async #token(request: IncomingMessage): Promise<{ readonly status: number; readonly body: object }> {
    const form = new URLSearchParams(await text(request));
    const given = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString('utf8');
    const [id = '', secret = ''] = given.split(':').map((part) => new URLSearchParams(`=${part}`).get(''));
    if (id !== this.clientId || secret !== this.clientSecret) return { status: 401, body: { error: 'invalid_client' } };
    const code = form.get('code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isValid =
      request.method === 'POST' &&
      form.get('grant_type') === 'authorization_code' &&
      form.get('redirect_uri') === grant?.redirectUri &&
      verifier === grant?.challenge;
    if (!isValid || grant === undefined) return { status: 400, body: { error: 'invalid_grant' } };
    const idToken = this.sign({ sub: 'jane', nonce: grant.nonce, ...this.claims });
    return { status: 200, body: { access_token: 'opaque', token_type: 'Bearer', id_token: idToken } };
  }

  /** Signs an ID token for an hour. */
  sign(claims: object): string {
    const now = Math.floor(systemClock.now() / 1000);
    const payload = { iss: this.url, aud: this.clientId, iat: now, exp: now + 3600, ...claims };
    const encoded = [{ alg: 'RS256', kid: 'one' }, payload].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const content = encoded.join('.');
    return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`;
  }
}
