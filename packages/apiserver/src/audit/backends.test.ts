import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom, VirtualClock } from '@slipway/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuditLogBackend, type AuditLogOptions } from './log-backend.js';
import { AuditWebhookBackend, type AuditWebhookOptions } from './webhook-backend.js';

describe('AuditLogBackend', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'audit-log-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const openLog = (clock: VirtualClock, changes: Partial<AuditLogOptions> = {}): AuditLogBackend =>
    new AuditLogBackend({
      path: join(folder, 'audit.log'),
      bytesMax: 0,
      daysMax: 0,
      filesMax: 0,
      clock,
      onError: (error) => {
        throw error;
      },
      ...changes,
    });

  it('appends one line per event to a file that only its owner can read', async () => {
    const clock = new VirtualClock();
    for (const event of ['{"a":1}', '{"a":2}']) {
      const log = openLog(clock);
      log.accept(event);
      await log.close();
    }
    expect(readFileSync(join(folder, 'audit.log'), 'utf8')).toBe('{"a":1}\n{"a":2}\n');
    expect(statSync(join(folder, 'audit.log')).mode & 0o777).toBe(0o600);
  });

  it('rotates by size and keeps the newest files', async () => {
    const clock = new VirtualClock();
    const log = openLog(clock, { bytesMax: 20, filesMax: 2 });
    for (let index = 0; index < 5; index += 1) {
      log.accept(`{"event":${index}}xxxxx`);
      await clock.advance(1_000);
    }
    await log.close();
    const files = readdirSync(folder).toSorted();
    expect(files).toEqual([
      expect.stringMatching(/^audit-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}\.log$/),
      expect.stringMatching(/^audit-\d{4}-.*\.log$/),
      'audit.log',
    ]);
    expect(files.map((file) => readFileSync(join(folder, file), 'utf8'))).toEqual([
      '{"event":2}xxxxx\n',
      '{"event":3}xxxxx\n',
      '{"event":4}xxxxx\n',
    ]);
  });

  it('removes rotated files after their age limit', async () => {
    const clock = new VirtualClock();
    const log = openLog(clock, { bytesMax: 8, daysMax: 2 });
    for (const event of ['first', 'second']) log.accept(event);
    await clock.advance(3 * 86_400_000);
    log.accept('third');
    await log.close();
    const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    expect(texts.toSorted()).toEqual(['second\n', 'third\n']);
  });
});

describe('AuditWebhookBackend', () => {
  const open = (clock: VirtualClock, changes: Partial<AuditWebhookOptions>): AuditWebhookBackend =>
    new AuditWebhookBackend({
      send: () => Promise.resolve(),
      clock,
      random: seededRandom(1),
      bufferSize: 10,
      batchSize: 2,
      batchWaitMs: 1_000,
      initialBackoffMs: 100,
      onLost: () => undefined,
      ...changes,
    });
  const itemsOf = (body: string): unknown => (JSON.parse(body) as { items: unknown }).items;

  it('sends full batches immediately and an incomplete batch after the wait', async () => {
    const clock = new VirtualClock();
    const bodies: string[] = [];
    const backend = open(clock, { send: (body) => Promise.resolve(void bodies.push(body)) });
    for (const event of ['1', '2', '3']) backend.accept(event);
    await clock.advance(0);
    expect(bodies.map(itemsOf)).toEqual([[1, 2], [3]]);
    backend.accept('4');
    await clock.advance(999);
    expect(bodies).toHaveLength(2);
    await clock.advance(1);
    expect(bodies.map(itemsOf)).toEqual([[1, 2], [3], [4]]);
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1' });
  });

  it('sends a failed batch again and reports it as lost after five attempts', async () => {
    const clock = new VirtualClock();
    let attempts = 0;
    const lost: number[] = [];
    const backend = open(clock, {
      send: () => {
        attempts += 1;
        return Promise.reject(new Error('unreachable'));
      },
      onLost: (events) => void lost.push(events),
    });
    for (const event of ['1', '2']) backend.accept(event);
    await clock.advance(10_000);
    expect({ attempts, lost }).toEqual({ attempts: 5, lost: [2] });
  });

  it('drops events when its buffer is full', () => {
    const lost: unknown[] = [];
    const backend = open(new VirtualClock(), {
      send: () => new Promise(() => undefined),
      bufferSize: 3,
      onLost: (_, error) => void lost.push(error),
    });
    for (let event = 0; event < 7; event += 1) backend.accept(String(event));
    expect(lost).toHaveLength(2);
  });

  it('sends the buffered events when it is closed', async () => {
    const bodies: string[] = [];
    const backend = open(new VirtualClock(), { send: (body) => Promise.resolve(void bodies.push(body)) });
    backend.accept('1');
    await backend.close();
    expect(bodies.map(itemsOf)).toEqual([[1]]);
  });
});
