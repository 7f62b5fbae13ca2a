import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Agent, createServer, request, type Server } from 'node:https';
import { text } from 'node:stream/consumers';
import { systemClock, systemRandom } from '@slipway/base';
import { certificateToPem, generatePrivateKey, privateKeyToPem, selfSign, servingTemplate } from '@slipway/pki';

export interface Reply {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** A call to the simulator. */
export interface PassingCall {
  /** The SOAP method. Empty for other calls. */
  readonly method: string;
  readonly body: string;
  readonly cookie: string;
  /** Forwards the call, unchanged or with another body. */
  forward(body?: string): Promise<Reply>;
}

/** The outcome of a call: a response, or a broken connection with an unknown result. */
export type Treatment = (call: PassingCall) => Promise<Reply | 'cut'>;

const methodPattern = /<Body><(\w+) /;
/** Calls that need no session. */
const open = new Set(['RetrieveServiceContent', 'Login']);
const passedHeaders = ['content-type', 'soapaction', 'cookie'] as const;

/**
 * A proxy in front of the simulator. It simulates what the simulator does not support: a restart that keeps machines, and a task
 * that never completes.
 */
export class VCenterFront {
  treatment: Treatment = (call) => call.forward();
  /** How often each method was called. */
  readonly calls = new Map<string, number>();
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  readonly #cookies = new Set<string>();
  readonly #tasks = new Set<string>();
  readonly #forgottenCookies = new Set<string>();
  readonly #forgottenTasks = new Set<string>();
  #onTurnedAway: (() => void) | undefined;

  private constructor(
    private readonly target: string,
    private readonly server: Server,
    readonly address: string,
  ) {
    server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
      this.#serve(incoming, response).catch(() => response.destroy());
    });
  }

  static async start(target: string): Promise<VCenterFront> {
    const key = await generatePrivateKey('ECDSA');
    const environment = { clock: systemClock, random: systemRandom };
    const certificate = await selfSign(environment, servingTemplate('vcenter', ['127.0.0.1']), key);
    const server = createServer({ key: privateKeyToPem(key), cert: certificateToPem(certificate) });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    return new VCenterFront(target, server, `127.0.0.1:${port}`);
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  /** Drops sessions and tasks and closes connections. Resolves when a client has failed to connect. */
  goDown(): Promise<void> {
    for (const cookie of this.#cookies) this.#forgottenCookies.add(cookie);
    for (const task of this.#tasks) this.#forgottenTasks.add(task);
    const turnedAway = new Promise<void>((resolve) => (this.#onTurnedAway = resolve));
    this.server.closeAllConnections();
    return turnedAway;
  }

  comeBack(): void {
    this.#onTurnedAway = undefined;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming);
    const method = methodPattern.exec(body)?.[1] ?? '';
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
    const { cookie = '' } = incoming.headers;
    const call: PassingCall = {
      method,
      body,
      cookie,
      forward: (changed = body) => this.#forward(incoming, response, changed),
    };
    const reply = await this.#answer(call);
    if (reply === 'cut') {
      response.destroy();
      return;
    }
    for (const cookie of cookiesOf(reply)) this.#cookies.add(cookie);
    if (method.endsWith('_Task')) for (const task of tasksIn(reply.body)) this.#tasks.add(task);
    response.writeHead(reply.status, reply.headers).end(reply.body);
  }

  async #answer(call: PassingCall): Promise<Reply | 'cut'> {
    if (this.#onTurnedAway !== undefined) {
      this.#onTurnedAway();
      return { status: 503, headers: {}, body: 'starting' };
    }
    const { method, body, cookie } = call;
    if (this.#forgottenCookies.has(cookie) && !open.has(method))
      return fault('NotAuthenticated', 'The session is not authenticated.');
    const unknown = tasksIn(body).filter((task) => this.#forgottenTasks.has(task));
    if (unknown.length === 0) return this.treatment(call);
    if (method !== 'ModifyListView')
      return fault('ManagedObjectNotFound', 'The object has already been deleted or has not been completely created');
    // A view reports tasks that no longer exist, and adds the others.
    const named = unknown.map((task) => `<returnval type="Task">${task}</returnval>`).join('');
    const left = unknown.reduce((rest, task) => rest.replace(`<add type="Task">${task}</add>`, ''), body);
    const reply = await call.forward(left);
    return { ...reply, body: reply.body.replace('</ModifyListViewResponse>', `${named}</ModifyListViewResponse>`) };
  }

  async #forward(incoming: IncomingMessage, response: ServerResponse, body: string): Promise<Reply> {
    const headers: OutgoingHttpHeaders = { 'content-length': Buffer.byteLength(body) };
    for (const name of passedHeaders) if (incoming.headers[name] !== undefined) headers[name] = incoming.headers[name];
    const outgoing = request(`https://${this.target}${incoming.url ?? '/'}`, {
      method: incoming.method,
      headers,
      agent: this.#agent,
    });
    // Cancel a wait whose client has disconnected.
    response.once('close', () => outgoing.destroy());
    outgoing.end(body);
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    const { 'content-type': type, 'set-cookie': setCookie } = answer.headers;
    return {
      status: answer.statusCode ?? 0,
      headers: { 'content-type': type, ...(setCookie && { 'set-cookie': setCookie }) },
      body: await text(answer),
    };
  }
}

function cookiesOf({ headers }: Reply): string[] {
  const set = headers['set-cookie'];
  return Array.isArray(set) ? set.map((cookie) => cookie.split(';', 1)[0] ?? '') : [];
}

function tasksIn(xml: string): string[] {
  return [...xml.matchAll(/ type="Task"[^>]*>([^<]+)</g)].map(([, task = '']) => task);
}

const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><Body>${body}</Body></Envelope>`;

function fault(type: string, faultString: string): Reply {
  const detail = `<${type}Fault xmlns="urn:vim25" xsi:type="${type}"></${type}Fault>`;
  const body = envelope(
    `<Fault><faultcode>ServerFaultCode</faultcode><faultstring>${faultString}</faultstring><detail>${detail}</detail></Fault>`,
  );
  return { status: 500, headers: { 'content-type': 'text/xml' }, body };
}

/** Creates tasks of a vCenter extension directly in the simulator. They complete on request. */
export class EndlessTasks {
  private constructor(
    private readonly server: string,
    private readonly cookie: string,
  ) {}

  static async at(server: string, cookie: string): Promise<EndlessTasks> {
    const tasks = new EndlessTasks(server, cookie);
    const description = '<description><label>endless</label><summary>endless</summary></description>';
    const extension = `<extension>${description}<key>endless</key><version>1</version><taskList><taskID>endless.clone</taskID></taskList><lastHeartbeatTime>2026-01-01T00:00:00Z</lastHeartbeatTime></extension>`;
    await tasks.#call('ExtensionManager', 'ExtensionManager', 'RegisterExtension', extension);
    return tasks;
  }

  /** Creates a task. Returns the response to the call that started it. */
  async begin(method: string): Promise<Reply> {
    const parameters =
      '<obj type="Folder">group-d1</obj><taskTypeId>endless.clone</taskTypeId><cancelable>false</cancelable>';
    const created = await this.#call('TaskManager', 'TaskManager', 'CreateTask', parameters);
    const [task = ''] = tasksIn(created);
    // The simulator responds before the task exists.
    while ((await this.#send('Task', task, 'SetTaskState', '<state>running</state>')).status !== 200);
    const body = envelope(
      `<${method}Response xmlns="urn:vim25"><returnval type="Task">${task}</returnval></${method}Response>`,
    );
    return { status: 200, headers: { 'content-type': 'text/xml' }, body };
  }

  async end(task: string): Promise<void> {
    await this.#call('Task', task, 'SetTaskState', '<state>success</state>');
  }

  /** Forwards a client's call to the simulator, and returns its task. */
  async send(message: string): Promise<string> {
    const { status, body } = await this.#post(message);
    if (status !== 200) throw new Error(body);
    return tasksIn(body)[0] ?? '';
  }

  async #call(type: string, value: string, method: string, parameters: string): Promise<string> {
    const { status, body } = await this.#send(type, value, method, parameters);
    if (status !== 200) throw new Error(`${method}: ${body}`);
    return body;
  }

  #send(type: string, value: string, method: string, parameters: string): Promise<Omit<Reply, 'headers'>> {
    return this.#post(
      envelope(`<${method} xmlns="urn:vim25"><_this type="${type}">${value}</_this>${parameters}</${method}>`),
    );
  }

  async #post(message: string): Promise<Omit<Reply, 'headers'>> {
    const outgoing = request(`https://${this.server}/sdk`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml', soapaction: 'urn:vim25/8.0.3', cookie: this.cookie },
      rejectUnauthorized: false,
      agent: false,
    });
    outgoing.end(message);
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, body: await text(answer) };
  }
}
