import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, VirtualClock } from '@slipway/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { QmpClient, QmpClosedError, QmpError, type QmpEvent } from './qmp-client.js';

let folder: string;
let server: Server | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qmp-'));
});
afterEach(async () => {
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

type Handler = (command: { execute: string; id: number }, socket: Socket) => void;

/** A QMP server with scripted answers. */
function listen(handler: Handler, greeting = '{"QMP": {"version": {}, "capabilities": []}}\r\n'): Promise<string> {
  const path = join(folder, 'q.sock');
  server = createServer((socket) => {
    if (greeting !== '') socket.write(greeting);
    socket.setEncoding('utf8');
    socket.on('error', () => undefined);
    socket.on('data', (text: string) => {
      for (const line of text.trim().split('\n')) handler(JSON.parse(line) as { execute: string; id: number }, socket);
    });
  });
  return new Promise((resolve) => server?.listen(path, () => resolve(path)));
}

const answer = (socket: Socket, value: object): boolean => socket.write(`${JSON.stringify(value)}\r\n`);

describe('the control connection', () => {
  it('negotiates capabilities first, and matches replies between events', async () => {
    const seen: string[] = [];
    const events: QmpEvent[] = [];
    const path = await listen(({ execute, id }, socket) => {
      seen.push(execute);
      answer(socket, { event: 'RESUME', data: {}, timestamp: {} });
      answer(socket, { return: { of: execute }, id });
    });
    const client = await QmpClient.connect({ path, clock: systemClock, onEvent: (event) => events.push(event) });
    const [one, two] = await Promise.all([client.execute('query-status'), client.execute('query-uuid')]);
    expect(seen).toEqual(['qmp_capabilities', 'query-status', 'query-uuid']);
    expect([one, two]).toEqual([{ of: 'query-status' }, { of: 'query-uuid' }]);
    expect(events.map(({ event }) => event)).toEqual(['RESUME', 'RESUME', 'RESUME']);
    client.dispose();
  });

  it('distinguishes a rejected command from a lost connection', async () => {
    const path = await listen(({ execute, id }, socket) => {
      if (execute === 'quit') socket.destroy();
      else if (execute === 'cont') answer(socket, { error: { class: 'GenericError', desc: 'not now' }, id });
      else answer(socket, { return: {}, id });
    });
    let isReported = false;
    const timed: string[] = [];
    const client = await QmpClient.connect({
      path,
      clock: systemClock,
      onClose: () => (isReported = true),
      onAnswer: (command, seconds) => timed.push(`${command} ${seconds < 30}`),
    });
    await expect(client.execute('cont')).rejects.toThrow(new QmpError('cont', 'GenericError', 'not now'));
    await expect(client.execute('quit')).rejects.toBeInstanceOf(QmpClosedError);
    expect(isReported).toBe(true);
    // The duration is reported for every command: completed, rejected and unanswered.
    expect(timed).toEqual(['qmp_capabilities true', 'cont true', 'quit true']);
    await expect(client.execute('query-status')).rejects.toThrow('the connection to QEMU is closed');
  });

  it('times out on a socket that another client uses [kvm 26]', async () => {
    const path = await listen(() => undefined, '');
    const clock = new VirtualClock();
    const failed = QmpClient.connect({ path, clock }).catch((error: Error) => error.message);
    // Connecting takes real time, and the timer is set only afterwards.
    while (clock.nextTimerMs() === undefined) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(5_000);
    expect(await failed).toBe('the greeting: QEMU did not respond within 5 seconds');
  });

  it('closes the connection to a peer that does not speak QMP', async () => {
    const path = await listen(() => undefined, 'HTTP/1.1 400 Bad Request\r\n');
    await expect(QmpClient.connect({ path, clock: systemClock })).rejects.toBeInstanceOf(QmpClosedError);
  });
});
