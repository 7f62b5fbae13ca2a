import { isFault, VimConnectionError } from '../errors.js';
import { addressText, type HttpResponse, type ServerConnection } from '../http/index.js';
import type {
  Data,
  MethodName,
  MethodParameters,
  MethodResult,
  ObjectRef,
  StoragePolicyMethodName,
  VimMethodName,
} from '../schema/index.js';
import { readResponse, type Service, writeRequest } from '../soap/index.js';
import { LoginGuard } from './login-guard.js';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

const serviceInstance: ObjectRef = { type: 'ServiceInstance', value: 'ServiceInstance' };
const cookieName = 'vmware_soap_session';
const vimNamespace = 'urn:vim25';
const policyNamespace = 'urn:pbm';
/** API version of the first call, which every vCenter in use supports. Later calls use the version that the server reports. */
const firstVersion = '6.5';

/** Read-only calls, which can be retried after a connection failure. */
const repeatable = /^(Retrieve|ContinueRetrieve|Find|PbmQuery|PbmRetrieve|PbmCheck)/;

/** SOAP client of one vCenter and user. Logs in on first use, and again after the session expired. */
export class SoapSession {
  readonly #connection: ServerConnection;
  readonly #credentials: Credentials;
  readonly #guard: LoginGuard;
  #cookie: string | undefined;
  #content: Data<'ServiceContent'> | undefined;
  /** Number of logins. With it, a failed call that was sent before the latest login does not invalidate the new session. */
  #generation = 0;

  constructor(connection: ServerConnection, credentials: Credentials) {
    this.#connection = connection;
    this.#credentials = credentials;
    this.#guard = new LoginGuard(connection.clock);
  }

  /** Returns the session cookie, for services beside vim25. Logs in if necessary. */
  async sessionCookie(): Promise<string> {
    await this.#ensureLogin();
    return `${cookieName}=${this.#cookie ?? ''}`;
  }

  get loggedIn(): boolean {
    return this.#cookie !== undefined;
  }

  /** Logs in if necessary. An expired session is not detected here, but by the next call. */
  async login(options: CallOptions = {}): Promise<void> {
    options.signal?.throwIfAborted();
    await this.#ensureLogin();
  }

  /** Returns the ServiceContent: product information and references to managers. */
  async content(options: CallOptions = {}): Promise<Data<'ServiceContent'>> {
    this.#content ??= await this.#send('RetrieveServiceContent', serviceInstance, {}, options);
    return this.#content;
  }

  call<Name extends VimMethodName>(
    method: Name,
    target: ObjectRef,
    parameters: MethodParameters<Name>,
    options: CallOptions = {},
  ): Promise<MethodResult<Name>> {
    return this.authenticated(() => this.#sendTwice(method, target, parameters, options));
  }

  callPolicies<Name extends StoragePolicyMethodName>(
    method: Name,
    target: ObjectRef,
    parameters: MethodParameters<Name>,
    options: CallOptions = {},
  ): Promise<MethodResult<Name>> {
    return this.authenticated(() => this.#sendTwice(method, target, parameters, options));
  }

  /** Runs calls with a session, and retries once with a new one if the session expired. */
  async authenticated<Result>(run: () => Promise<Result>): Promise<Result> {
    await this.#ensureLogin();
    const generation = this.#generation;
    try {
      return await run();
    } catch (error) {
      if (!isFault(error, 'NotAuthenticated')) throw error;
      if (this.#generation === generation) this.#cookie = undefined;
      await this.#ensureLogin();
      return run();
    }
  }

  async logout(): Promise<void> {
    if (this.#cookie === undefined) return;
    const { sessionManager } = await this.content();
    try {
      if (sessionManager !== undefined) await this.#send('Logout', sessionManager, {}, {});
    } finally {
      this.#cookie = undefined;
      this.#content = undefined;
    }
  }

  #ensureLogin(): Promise<void> {
    if (this.#cookie !== undefined) return Promise.resolve();
    return this.#guard.run(
      () => this.#login(),
      (error) => isFault(error, 'InvalidLogin', 'NoPermission'),
    );
  }

  async #login(): Promise<void> {
    // The content is read again after each login: the version changes when vCenter is upgraded.
    this.#content = undefined;
    const { sessionManager } = await this.content();
    if (sessionManager === undefined) {
      throw new VimConnectionError('unavailable', `${this.#server} has no session manager`);
    }
    await this.#send(
      'Login',
      sessionManager,
      { userName: this.#credentials.username, password: this.#credentials.password },
      {},
    );
    this.#generation += 1;
  }

  async #sendTwice<Name extends MethodName>(
    method: Name,
    target: ObjectRef,
    parameters: MethodParameters<Name>,
    options: CallOptions,
  ): Promise<MethodResult<Name>> {
    try {
      return await this.#send(method, target, parameters, options);
    } catch (error) {
      const broken = error instanceof VimConnectionError && error.failure === 'unreachable';
      if (!broken || !repeatable.test(method)) throw error;
      return this.#send(method, target, parameters, options);
    }
  }

  async #send<Name extends MethodName>(
    method: Name,
    target: ObjectRef,
    parameters: MethodParameters<Name>,
    options: CallOptions,
  ): Promise<MethodResult<Name>> {
    const service = this.#serviceOf(method);
    const response = await this.#connection.send({
      method: 'POST',
      path: service.namespace === policyNamespace ? '/pbm' : this.#connection.address.path,
      headers: {
        'content-type': 'text/xml; charset="utf-8"',
        soapaction: `${service.namespace}/${service.version}`,
        ...(this.#cookie === undefined ? {} : { cookie: `${cookieName}=${this.#cookie}` }),
      },
      body: writeRequest(service, method, target, parameters),
      ...options,
    });
    const subject = `${method} on ${target.type}:${target.value}`;
    this.#check(response, subject);
    const result = readResponse(method, response.text, subject);
    if (method === 'Login') this.#keepCookie(response);
    return result;
  }

  #serviceOf(method: MethodName): Service & { readonly version: string } {
    if (!method.startsWith('Pbm')) {
      return { namespace: vimNamespace, version: this.#content?.about.apiVersion ?? firstVersion };
    }
    return { namespace: policyNamespace, version: '', sessionCookie: this.#cookie?.replace(/^"|"$/g, '') };
  }

  #check({ status, text }: HttpResponse, subject: string): void {
    // Faults have status 500 and a SOAP body. Other statuses come from a proxy or a service that is starting.
    if (status === 200 || (status === 500 && text.includes('Envelope'))) return;
    throw new VimConnectionError('unavailable', `${this.#server} returned HTTP status ${status} for ${subject}`);
  }

  #keepCookie({ headers }: HttpResponse): void {
    const prefix = `${cookieName}=`;
    const line = headers['set-cookie']?.find((cookie) => cookie.startsWith(prefix));
    if (line === undefined) throw new VimConnectionError('unavailable', `${this.#server} returned no session`);
    this.#cookie = line.slice(prefix.length).split(';', 1)[0];
  }

  get #server(): string {
    return addressText(this.#connection.address);
  }
}
