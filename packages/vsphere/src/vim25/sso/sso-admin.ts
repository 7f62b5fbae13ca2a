import { VimConnectionError, VimFault, VimProtocolError } from '../errors.js';
import { addressText, type HttpResponse, type ServerConnection } from '../http/index.js';
import type { ObjectRef } from '../schema/index.js';
import type { CallOptions, Credentials, SoapSession } from '../session/soap-session.js';
import { escape } from '../soap/encode.js';
import { childNamed, readXml, type XmlElement } from '../soap/read-xml.js';

const soap = 'http://schemas.xmlsoap.org/soap/envelope/';
const trust = 'http://docs.oasis-open.org/ws-sx/ws-trust/200512';
const security = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd';
const utility = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd';
const serviceInstance: ObjectRef = { type: 'SsoAdminServiceInstance', value: 'SsoAdminServiceInstance' };
/** Lifetime of a token, which is requested and used within one operation. */
const lifetimeMs = 300_000;
const domainDefault = 'vsphere.local';

interface SsoSession {
  readonly cookie: string;
  readonly managers: ReadonlyMap<string, ObjectRef>;
}

/**
 * Accounts of vCenter's local identity source. There is no REST API for them: the client requests a SAML token with the
 * password, and logs in to the SSO administration service with it. That session is separate from the vim25 session.
 */
export class SsoAdmin {
  readonly #connection: ServerConnection;
  readonly #credentials: Credentials;
  readonly #soap: SoapSession;
  #session: SsoSession | undefined;

  constructor(connection: ServerConnection, soapSession: SoapSession, credentials: Credentials) {
    this.#connection = connection;
    this.#soap = soapSession;
    this.#credentials = credentials;
  }

  /** The domain of the administrator, in which the accounts are, too. */
  get domain(): string {
    const { username } = this.#credentials;
    const [, after] = /@(.+)$/.exec(username) ?? [];
    const [, before] = /^([^\\]+)\\/.exec(username) ?? [];
    return (after ?? before ?? domainDefault).toLowerCase();
  }

  async createPerson(name: string, password: string, description: string, options: CallOptions = {}): Promise<void> {
    const details = `<userDetails><description>${escape(description, 'description')}</description></userDetails>`;
    const fields = `${element('userName', name)}${details}${element('password', password)}`;
    await this.#call('CreateLocalPersonUser', 'principalManagementService', fields, options);
  }

  async resetPassword(name: string, password: string, options: CallOptions = {}): Promise<void> {
    const fields = `${element('userName', name)}${element('newPassword', password)}`;
    await this.#call('ResetLocalPersonUserPassword', 'principalManagementService', fields, options);
  }

  async deletePerson(name: string, options: CallOptions = {}): Promise<void> {
    await this.#call('DeleteLocalPrincipal', 'principalManagementService', element('principalName', name), options);
  }

  async hasPerson(name: string, options: CallOptions = {}): Promise<boolean> {
    const fields = `<userId>${element('name', name)}${element('domain', this.domain)}</userId>`;
    const answer = await this.#call('FindPersonUser', 'principalDiscoveryService', fields, options);
    return childNamed(answer, 'returnval') !== undefined;
  }

  async logout(): Promise<void> {
    if (this.#session === undefined) return;
    try {
      await this.#call('Logout', 'sessionManager', '', {});
    } finally {
      this.#session = undefined;
    }
  }

  async #call(method: string, manager: string, fields: string, options: CallOptions): Promise<XmlElement> {
    const session = (this.#session ??= await this.#login(options));
    const target = session.managers.get(manager);
    if (target === undefined) throw new VimProtocolError(`the SSO administration has no ${manager}`);
    return this.#send(method, target, fields, '', options, session.cookie);
  }

  async #login(options: CallOptions): Promise<SsoSession> {
    const assertion = await this.#issueToken(options);
    const vimCookie = await this.#soap.sessionCookie();
    const content = await this.#send('SsoAdminServiceInstance', serviceInstance, '', '', options, vimCookie);
    const managers = new Map<string, ObjectRef>();
    for (const { name, kind, text } of childNamed(content, 'returnval')?.children ?? [])
      if (kind !== undefined) managers.set(name, { type: kind, value: text });
    const manager = managers.get('sessionManager');
    if (manager === undefined) throw new VimProtocolError('the SSO administration has no session manager');
    const header = `<Header><Security xmlns="${security}">${this.#timestamp()}${assertion}</Security></Header>`;
    const cookies = [vimCookie];
    await this.#send('Login', manager, '', header, options, vimCookie, (response) => {
      cookies.push(...(response.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0] ?? ''));
    });
    // Of cookies with the same name the last one is kept: the cookie of this service follows that of vim25.
    const byName = new Map(cookies.map((each) => [each.split('=', 1)[0], each]));
    return { cookie: [...byName.values()].join('; '), managers };
  }

  /** Requests a token. The assertion must stay unchanged byte for byte, because it is signed. */
  async #issueToken(options: CallOptions): Promise<string> {
    const { username, password } = this.#credentials;
    const account = `<UsernameToken>${element('Username', username)}${element('Password', password)}</UsernameToken>`;
    const now = this.#connection.clock.now();
    const period = `<Created xmlns="${utility}">${time(now)}</Created><Expires xmlns="${utility}">${time(now + lifetimeMs)}</Expires>`;
    const body =
      `<RequestSecurityToken xmlns="${trust}"><TokenType>urn:oasis:names:tc:SAML:2.0:assertion</TokenType>` +
      `<RequestType>${trust}/Issue</RequestType><Lifetime>${period}</Lifetime><Renewing Allow="false" OK="false"/>` +
      `<Delegatable>false</Delegatable><KeyType>${trust}/Bearer</KeyType>` +
      '<SignatureAlgorithm>http://www.w3.org/2001/04/xmldsig-more#rsa-sha256</SignatureAlgorithm></RequestSecurityToken>';
    const header = `<Header><Security xmlns="${security}">${this.#timestamp()}${account}</Security></Header>`;
    const response = await this.#post(`/sts/STSService/${this.domain}`, `${trust}/RST/Issue`, header, body, options);
    const subject = `requesting a token from ${addressText(this.#connection.address)}`;
    checkFault(response, subject);
    const [, assertion] =
      /<(?:\w+:)?RequestedSecurityToken[^>]*>([\s\S]*?)<\/(?:\w+:)?RequestedSecurityToken>/.exec(response.text) ?? [];
    if (assertion === undefined) throw new VimProtocolError(`${subject}: the response has no token`);
    return assertion;
  }

  #timestamp(): string {
    const now = this.#connection.clock.now();
    return `<Timestamp xmlns="${utility}"><Created>${time(now)}</Created><Expires>${time(now + 60_000)}</Expires></Timestamp>`;
  }

  async #send(
    method: string,
    target: ObjectRef,
    fields: string,
    header: string,
    options: CallOptions,
    cookie = '',
    onAnswer: (response: HttpResponse) => void = () => undefined,
  ): Promise<XmlElement> {
    const own = `<_this type="${escape(target.type, '_this')}">${escape(target.value, '_this')}</_this>`;
    const body = `<${method} xmlns="urn:sso">${own}${fields}</${method}>`;
    const path = `/sso-adminserver/sdk/${this.domain}`;
    const response = await this.#post(path, 'urn:sso/version2', header, body, options, cookie);
    const answer = checkFault(response, `${method} of the SSO administration`);
    onAnswer(response);
    return answer;
  }

  async #post(
    path: string,
    action: string,
    header: string,
    body: string,
    options: CallOptions,
    cookie = '',
  ): Promise<HttpResponse> {
    const response = await this.#connection.send({
      method: 'POST',
      path,
      headers: {
        'content-type': 'text/xml; charset="utf-8"',
        soapaction: `"${action}"`,
        ...(cookie !== '' && { cookie }),
      },
      body: `<?xml version="1.0" encoding="UTF-8"?><Envelope xmlns="${soap}">${header}<Body>${body}</Body></Envelope>`,
      ...options,
    });
    const { status, text } = response;
    if (status === 200 || (status === 500 && text.includes('Envelope'))) return response;
    throw new VimConnectionError(
      'unavailable',
      `${addressText(this.#connection.address)} returned HTTP status ${status} for ${path}`,
    );
  }
}

/** Returns the body of the response, or throws its fault. */
function checkFault({ text }: HttpResponse, subject: string): XmlElement {
  const body = childNamed(readXml(text), 'Body')?.children[0];
  if (body === undefined) throw new VimProtocolError(`${subject}: the response has no body`);
  if (body.name !== 'Fault') return body;
  const message = childNamed(body, 'faultstring')?.text.trim() ?? '';
  const detail = childNamed(body, 'detail')?.children[0];
  const code = childNamed(body, 'faultcode')?.text.replace(/^.*:/, '') ?? 'Fault';
  const fault = detail?.type ?? detail?.name.replace(/Fault$/, '') ?? code;
  throw new VimFault(fault, message, {}, subject);
}

const element = (name: string, text: string): string => `<${name}>${escape(text, name)}</${name}>`;
const time = (ms: number): string => new Date(ms).toISOString();
