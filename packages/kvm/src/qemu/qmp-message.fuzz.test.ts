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

it('reads any line as a message of the right form, or not at all', () => {
  fc.assert(
    fc.property(line, (text) => {
      const message = parseQmpMessage(text);
      if (message === undefined) return;
      expect(['number', 'undefined']).toContain(typeof message.id);
      expect(['string', 'undefined']).toContain(typeof message.event);
      expect(['object', 'undefined']).toContain(typeof message.data);
      expect(message.data).not.toBeNull();
      if (message.error !== undefined) expect(typeof message.error.description).toBe('string');
    }),
  );
});

describe('a peer that says anything', () => {
  let folder: string;
  let server: Server;
  let says = Buffer.alloc(0);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qmp-'));
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.resume();
      socket.end(says);
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

  it('is refused by the control connection, and takes nobody down', async () => {
    const ask = async (): Promise<unknown> => {
      const client = await QmpClient.connect({ path: path(), clock: systemClock });
      try {
        return await client.execute('query-status');
      } finally {
        client.dispose();
      }
    };
    await fc.assert(
      fc.asyncProperty(bytes, async (some) => {
        says = some;
        const outcome = await ask().catch((error: unknown) => error);
        if (outcome instanceof Error)
          expect(outcome instanceof QmpError || outcome instanceof QmpClosedError).toBe(true);
      }),
    );
  });

  it('tells nothing of the files of a guest', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, async (some) => {
        says = some;
        expect([true, false, undefined]).toContain(await guestHasFile(path(), '/x', systemClock));
      }),
    );
  });
});
