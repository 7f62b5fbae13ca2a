import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { text } from 'node:stream/consumers';
import { type Disposable } from '@slipway/base';
import {
  type CertificateAuthority,
  certificateToPem,
  generatePrivateKey,
  issueCertificate,
  type PkiDependencies,
  privateKeyToPem,
  servingTemplate,
} from '@slipway/pki';
import { haproxyPorts } from '@slipway/vsphere';

export interface HaproxyGuestOptions extends PkiDependencies {
  /** Address on which the Data Plane API listens. */
  readonly host: string;
  /** IP addresses of the VM as its guest sees them. */
  readonly addresses: readonly string[];
  readonly authority: CertificateAuthority;
  readonly username: string;
  readonly password: string;
  /** The initial HAProxy configuration, from the bootstrap data. */
  readonly configuration: string;
  /** Applies a configuration before it is committed. If this rejects, the transaction is not committed. */
  readonly run?: (configuration: string) => Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly body?: unknown;
}

/** Simulates a VM with HAProxy's Data Plane API, limited to raw configurations in transactions. */
export class HaproxyGuest implements Disposable {
  #configuration: string;
  #version = 1;
  #count = 0;
  readonly #transactions = new Map<string, string | undefined>();

  private constructor(
    private readonly options: HaproxyGuestOptions,
    private readonly server: Server,
  ) {
    this.#configuration = options.configuration;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#answer(request)
        .catch((): Reply => ({ status: 400 }))
        .then(
          ({ status, body }) => {
            response.writeHead(status, { 'content-type': 'application/json' });
            response.end(body === undefined ? undefined : JSON.stringify(body));
          },
          () => response.destroy(),
        );
    });
  }

  static async start(options: HaproxyGuestOptions): Promise<HaproxyGuest> {
    const key = await generatePrivateKey('ECDSA');
    const template = servingTemplate('haproxy', [options.host, ...options.addresses]);
    const certificate = await issueCertificate(options, options.authority, template, key);
    const server = createServer({
      key: privateKeyToPem(key),
      cert: certificateToPem(certificate),
      ca: certificateToPem(options.authority.certificate),
      requestCert: true,
    });
    await options.run?.(options.configuration);
    const guest = new HaproxyGuest(options, server);
    server.listen({ host: options.host, port: haproxyPorts.dataPlane, exclusive: true });
    await once(server, 'listening');
    return guest;
  }

  async dispose(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get configuration(): string {
    return this.#configuration;
  }

  async #answer(request: IncomingMessage): Promise<Reply> {
    const { username, password } = this.options;
    const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    if (request.headers.authorization !== expected) return { status: 401 };
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://haproxy');
    const path = pathname.replace('/v1/services/haproxy', '');
    const body = await text(request);
    if (path === '/configuration/raw') return this.#raw(request.method, searchParams.get('transaction_id'), body);
    if (path === '/transactions') return this.#list(request.method, searchParams.get('version'));
    return this.#transaction(request.method, path.replace('/transactions/', ''));
  }

  #raw(method: string | undefined, transaction: string | null, body: string): Reply {
    if (method === 'GET') return { status: 200, body: { _version: this.#version, data: this.#configuration } };
    if (transaction === null || !this.#transactions.has(transaction)) return { status: 404 };
    this.#transactions.set(transaction, body);
    return { status: 202 };
  }

  #list(method: string | undefined, version: string | null): Reply {
    if (method === 'GET') return { status: 200, body: [...this.#transactions.keys()].map((id) => ({ id })) };
    if (Number(version) !== this.#version) return { status: 409 };
    this.#count += 1;
    this.#transactions.set(String(this.#count), undefined);
    return { status: 201, body: { id: String(this.#count) } };
  }

  async #transaction(method: string | undefined, id: string): Promise<Reply> {
    if (!this.#transactions.has(id)) return { status: 404 };
    const configuration = this.#transactions.get(id);
    this.#transactions.delete(id);
    if (method === 'DELETE') return { status: 204 };
    if (configuration !== undefined) {
      await this.options.run?.(configuration);
      this.#configuration = configuration;
      this.#version += 1;
    }
    return { status: 202 };
  }
}
