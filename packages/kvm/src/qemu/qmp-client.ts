import { createConnection, type Socket } from 'node:net';
import { type Clock, type Disposable, sleep } from '@slipway/base';
import { parseQmpMessage } from './qmp-message.js';

export interface QmpEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** QEMU rejected a command. */
export class QmpError extends Error {
  constructor(
    readonly command: string,
    readonly errorClass: string,
    description: string,
  ) {
    super(`${command}: ${description}`);
    this.name = 'QmpError';
  }
}

/** The connection is closed, or no process listens on the socket. */
export class QmpClosedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'QmpClosedError';
  }
}

interface Waiting {
  readonly command: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export interface QmpOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly onEvent?: (event: QmpEvent) => void;
  readonly onClose?: () => void;
  /** Called with the duration of each command, whether it completed, was rejected or timed out. */
  readonly onAnswer?: (command: string, seconds: number) => void;
}

/** ID under which the client waits for the greeting, which is not a response to a request. */
const greetingId = 0;
/** Time after which QEMU is considered hung. */
const answerTimeoutMs = 5_000;
/** Maximum length of a line. QEMU sends a few kilobytes at most. */
export const lineLengthMax = 4 * 1024 ** 2;

/** QMP connection to a QEMU process. Events may arrive between replies. */
export class QmpClient implements Disposable {
  readonly #socket: Socket;
  readonly #options: QmpOptions;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #rest = '';
  #closed = false;

  private constructor(socket: Socket, options: QmpOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => this.#receive(text));
    // The connection may be reset after `quit`. A reset is treated like a close.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#close());
  }

  /**
   * Connects and waits for the greeting. Times out if another client is connected: QEMU greets a second client only after the
   * first disconnects.
   */
  static async connect(options: QmpOptions): Promise<QmpClient> {
    const socket = await connectSocket(options.path);
    const client = new QmpClient(socket, options);
    try {
      await client.#answerTo(greetingId, 'the greeting');
      await client.execute('qmp_capabilities');
      return client;
    } catch (error) {
      client.dispose();
      throw error;
    }
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  async execute(command: string, args?: Readonly<Record<string, unknown>>): Promise<unknown> {
    if (this.#closed) throw new QmpClosedError(`${command}: the connection to QEMU is closed`);
    const id = this.#nextId++;
    this.#socket.write(`${JSON.stringify({ execute: command, ...(args && { arguments: args }), id })}\n`);
    return this.#answerTo(id, command);
  }

  dispose(): void {
    this.#socket.destroy();
  }

  async #answerTo(id: number, command: string): Promise<unknown> {
    const { clock, onAnswer } = this.#options;
    const askedMs = clock.monotonic();
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { command, resolve, reject }));
    const abort = new AbortController();
    const late = sleep(clock, answerTimeoutMs, { signal: abort.signal }).then(() => {
      throw new QmpClosedError(`${command}: QEMU did not respond within ${answerTimeoutMs / 1000} seconds`);
    });
    // The promise that loses the race may reject later. Its rejection is handled here.
    late.catch(() => undefined);
    answer.catch(() => undefined);
    try {
      return await Promise.race([answer, late]);
    } finally {
      abort.abort(new Error('answered'));
      if (id !== greetingId) onAnswer?.(command, (clock.monotonic() - askedMs) / 1000);
      this.#waiting.delete(id);
    }
  }

  #receive(text: string): void {
    this.#rest += text;
    if (this.#rest.length > lineLengthMax) this.#socket.destroy();
    for (let end = this.#rest.indexOf('\n'); end >= 0; end = this.#rest.indexOf('\n')) {
      const line = this.#rest.slice(0, end).trim();
      this.#rest = this.#rest.slice(end + 1);
      if (line !== '') this.#handle(line);
    }
  }

  #handle(line: string): void {
    const message = parseQmpMessage(line);
    if (message === undefined) return this.dispose();
    if (message.event !== undefined) this.#options.onEvent?.({ event: message.event, data: message.data ?? {} });
    const id = message.isGreeting ? greetingId : message.id;
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (waiting === undefined) return;
    const { error } = message;
    if (error === undefined) waiting.resolve(message.return);
    else waiting.reject(new QmpError(waiting.command, error.class, error.description));
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const { command, reject } of this.#waiting.values())
      reject(new QmpClosedError(`${command}: QEMU closed the connection`));
    this.#waiting.clear();
    this.#options.onClose?.();
  }
}

export function connectSocket(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ path });
    const onError = (error: Error): void => reject(new QmpClosedError(`${path}: ${error.message}`));
    socket.once('error', onError);
    socket.once('connect', () => {
      socket.off('error', onError);
      resolve(socket);
    });
  });
}
