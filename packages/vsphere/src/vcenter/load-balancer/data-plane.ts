import { isIPv6 } from 'node:net';
import type { Clock } from '@slipway/base';
import { ReconcileError } from '@slipway/runtime';
import { type HttpRequest, type HttpResponse, ServerConnection } from '../../vim25/http/index.js';
import type { DataPlaneCredentials, DataPlaneIdentity } from './data-plane-credentials.js';
import { haproxyPorts } from './haproxy-configuration.js';

export interface DataPlaneOptions {
  readonly host: string;
  readonly credentials: DataPlaneCredentials;
  readonly identity: DataPlaneIdentity;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const base = '/v1/services/haproxy';
const timeoutMs = 10_000;

/**
 * Client of the HAProxy Data Plane API in one guest. Errors never contain a response: it may contain the configuration with
 * the password.
 */
export class DataPlane {
  readonly #options: DataPlaneOptions;
  readonly #connection: ServerConnection;

  constructor(options: DataPlaneOptions) {
    const { host, credentials, identity, clock } = options;
    this.#options = options;
    this.#connection = new ServerConnection(
      { host, port: haproxyPorts.dataPlane, secure: true, path: base },
      { caBundle: credentials.authority, identity: { cert: identity.certificate, key: identity.key } },
      clock,
    );
  }

  close(): void {
    this.#connection.close();
  }

  /** Returns the version of the current configuration if it differs from `text`, or else undefined. */
  async versionToReplace(text: string): Promise<number | undefined> {
    const { _version: version, data } = await this.#ask<{ _version: number; data: string }>({
      method: 'GET',
      path: '/configuration/raw',
    });
    return data.trim() === text.trim() ? undefined : version;
  }

  /** Replaces the given version of the configuration. */
  async replace(version: number, text: string): Promise<void> {
    await this.#closeOpenTransactions();
    const { id } = await this.#ask<{ id: string }>({ method: 'POST', path: `/transactions?version=${version}` });
    const transaction = encodeURIComponent(id);
    await this.#send({
      method: 'POST',
      path: `/configuration/raw?transaction_id=${transaction}`,
      headers: { 'content-type': 'text/plain' },
      body: text,
    });
    await this.#send({ method: 'PUT', path: `/transactions/${transaction}` });
  }

  /** Closes transactions that a crashed process left open, because their number is limited. */
  async #closeOpenTransactions(): Promise<void> {
    const open = await this.#ask<readonly { id: string }[] | null>({
      method: 'GET',
      path: '/transactions?status=in_progress',
    });
    for (const { id } of open ?? [])
      await this.#send({ method: 'DELETE', path: `/transactions/${encodeURIComponent(id)}` });
  }

  async #ask<T>(request: HttpRequest): Promise<T> {
    const { text } = await this.#send(request);
    try {
      return JSON.parse(text) as T;
    } catch {
      throw this.#failure(request, 'returned a response that is not JSON');
    }
  }

  async #send(request: HttpRequest): Promise<HttpResponse> {
    const { credentials, signal } = this.#options;
    const { username, password } = credentials;
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const headers = { ...request.headers, authorization };
    const path = `${base}${request.path}`;
    const response = await this.#connection.send({ ...request, path, headers, signal, timeoutMs });
    if (response.status >= 200 && response.status < 300) return response;
    throw this.#failure(request, `returned status ${response.status}`);
  }

  #failure({ method, path }: HttpRequest, what: string): ReconcileError {
    const { host } = this.#options;
    const address = isIPv6(host) ? `[${host}]` : host;
    const [plain] = path.split('?');
    return new ReconcileError(
      'DataPlaneFailed',
      `the HAProxy Data Plane API at ${address} ${what} for ${method} ${plain}`,
      {
        retry: 'later',
        remedy: 'check the journal of the haproxy service in the guest',
      },
    );
  }
}
