import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@slipway/base';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guestHasFile } from './guest-agent.js';
import { QmpClient, QmpClosedError, QmpError } from './qmp-client.js';
import { parseQmpMessage } from './qmp-message.js';

const members = fc.record(
  {
    QMP: fc.jsonValue(),
    id: fc.oneof(fc.nat(3), fc.jsonValue()),
    return: fc.jsonValue(),
    error: fc.oneof(fc.jsonValue(), fc.record({ class: fc.jsonValue(), desc: fc.jsonValue() })),
    event: fc.oneof(fc.string(), fc.jsonValue()),
    data: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const line = fc.oneof(
  members.map((value) => JSON.stringify(value)),
  fc.json(),
  fc.string(),
);

it('parses any line to a valid message or to undefined', () => {
  const isSound = (text: string): boolean => {
    const message = parseQmpMessage(text);
    if (message === undefined) return true;
    const { id = 0, event = '', data = {}, error = { class: '', description: '' } } = message;
    const types = [id, event, data, error.class, error.description].map((part) => typeof part).join(' ');
    return types === 'number string object string string';
  };
  expect(() => fc.assert(fc.property(line, isSound))).not.toThrow();
});

describe('a peer that sends arbitrary data', () => {
  let folder: string;
  let server: Server;
  let sent: Uint8Array = new Uint8Array();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qmp-'));
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.resume();
      socket.end(sent);
    });
    await new Promise<void>((resolve) => server.listen(join(folder, 'q.sock'), resolve));
  });
  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const bytes = fc.oneof(
    fc.array(line, { maxLength: 6 }).map((lines) => Buffer.from(`{"QMP":{}}\r\n${lines.join('\n')}\n`)),
    fc.uint8Array({ maxLength: 200 }).map((some) => Buffer.from(some)),
  );
  const path = (): string => join(folder, 'q.sock');

  it('is rejected by the control connection without a crash', async () => {
    const outcomeOf = async (): Promise<unknown> => {
      const client = await QmpClient.connect({ path: path(), clock: systemClock });
      try {
        return await client.execute('query-status');
      } finally {
        client.dispose();
      }
    };
    const isOurs = async (some: Uint8Array): Promise<boolean> => {
      sent = some;
      const outcome = await outcomeOf().catch((error: unknown) => error);
      return !(outcome instanceof Error) || outcome instanceof QmpError || outcome instanceof QmpClosedError;
    };
    await expect(fc.assert(fc.asyncProperty(bytes, isOurs))).resolves.toBeUndefined();
  });

  it('is not reported as a file of the guest', async () => {
    const isAnswered = async (some: Uint8Array): Promise<boolean> => {
      sent = some;
      return (await guestHasFile(path(), '/x', systemClock)) !== null;
    };
    await expect(fc.assert(fc.asyncProperty(bytes, isAnswered))).resolves.toBeUndefined();
  });
});
