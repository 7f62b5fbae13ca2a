import type { Clock, Logger } from '@slipway/base';
import { NameMemory } from '../find/name-memory.js';
import { parseServerAddress, ServerConnection, type Trust } from '../http/index.js';
import { retrieveOne, UpdateHub } from '../property/index.js';
import { SsoAdmin } from '../sso/sso-admin.js';
import { RestSession } from './rest-session.js';
import { type Credentials, SoapSession } from './soap-session.js';

export interface VimSessionOptions extends Credentials, Trust {
  readonly server: string;
}

/** The clients of one vCenter and user: SOAP, REST and updates. */
export class VimSession {
  readonly soap: SoapSession;
  readonly rest: RestSession;
  readonly updates: UpdateHub;
  /** Cache of inventory lookups. */
  readonly names: NameMemory;
  /** Accounts of vCenter's local identity source. */
  readonly sso: SsoAdmin;
  readonly #connection: ServerConnection;

  constructor(options: VimSessionOptions, clock: Clock, logger: Logger) {
    const { server, username, password, thumbprint, caBundle, verify } = options;
    this.#connection = new ServerConnection(parseServerAddress(server), { thumbprint, caBundle, verify }, clock);
    this.soap = new SoapSession(this.#connection, { username, password });
    this.rest = new RestSession(this.#connection, { username, password });
    this.sso = new SsoAdmin(this.#connection, this.soap, { username, password });
    this.names = new NameMemory(clock);
    this.updates = new UpdateHub(this.soap, clock, logger);
  }

  /** Keeps the session alive. An expired session is replaced by a new one. */
  async keepAlive(): Promise<void> {
    if (!this.soap.loggedIn) return;
    const { sessionManager } = await this.soap.content();
    if (sessionManager !== undefined) await retrieveOne(this.soap, sessionManager, ['currentSession']);
  }

  /** Logs out of SOAP and REST, even if one of them fails. */
  async close(): Promise<void> {
    const results = await Promise.allSettled([this.updates.dispose(), this.rest.logout(), this.sso.logout()]);
    results.push(...(await Promise.allSettled([this.soap.logout()])));
    this.#connection.close();
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason as Error;
  }
}
