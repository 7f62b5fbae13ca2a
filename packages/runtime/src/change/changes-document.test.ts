import { notFound } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { ChangeFeed, type ChangeRecord } from './change-feed.js';
import { changesDocument, readChanges } from './changes-document.js';
import { fieldDifferences } from './field-difference.js';

function record(name: string, fields: Partial<ChangeRecord> = {}): ChangeRecord {
  return {
    time: Date.UTC(2026, 0, 1),
    durationMs: 1.4,
    controller: 'cluster',
    object: { group: '', kind: 'Secret', namespace: 'default', name, labels: { team: 'a' } },
    verb: 'patch',
    reason: 'CertificateRenewed',
    message: 'Renewed the certificate',
    fields: [],
    result: 'ok',
    dryRun: false,
    ...fields,
  };
}

function read(feed: ChangeFeed): { readonly published: number; readonly changes: readonly Record<string, unknown>[] } {
  return JSON.parse(changesDocument(feed).body) as ReturnType<typeof read>;
}

describe('/debug/changes', () => {
  it('lists at most 1,000 changes, the most recent first', () => {
    const feed = new ChangeFeed({ recentMax: 2_000 });
    for (let index = 0; index < 1_200; index += 1) feed.publish(record(`s-${index}`));
    const { published, changes } = read(feed);
    expect(published).toBe(1_200);
    expect(changes).toHaveLength(1_000);
    expect(changes[0]).toEqual({
      time: '2026-01-01T00:00:00.000000Z',
      controller: 'cluster',
      object: { group: '', kind: 'Secret', namespace: 'default', name: 's-1199' },
      verb: 'patch',
      reason: 'CertificateRenewed',
      message: 'Renewed the certificate',
      fields: [],
      result: 'ok',
      durationMs: 1,
      dryRun: false,
    });
  });

  it('counts the records since the start by result', () => {
    const feed = new ChangeFeed({ recentMax: 1 });
    feed.publish(record('a'));
    feed.publish(record('a', { result: 'unchanged' }));
    feed.publish(record('a', { result: 'failed', error: 'refused' }));
    feed.publish(record('a', { cluster: 'default/demo' }));
    feed.publish(record('a', { verb: 'call', action: 'clone VM', message: '' }));
    feed.publish(record('a', { dryRun: true }));
    expect(JSON.parse(changesDocument(feed).body)).toMatchObject({
      published: 6,
      counts: { written: 1, unchanged: 1, failed: 1, remote: 1, calls: 1, dryRuns: 1, unexplained: 1 },
    });
  });

  it('reads the document back as records, oldest first', async () => {
    const feed = new ChangeFeed();
    feed.publish(record('s-1'));
    feed.publish(record('s-2', { time: Date.UTC(2026, 0, 1, 0, 0, 1, 250), result: 'failed', error: 'refused' }));
    const records = await readChanges({ getRaw: () => Promise.resolve(changesDocument(feed).body) });
    const { labels: _labels, ...object } = record('s-2').object;
    expect(records?.map(({ object: { name } }) => name)).toEqual(['s-1', 's-2']);
    expect(records?.[1]).toEqual({ ...feed.recent()[1], object, durationMs: 1 });
  });

  it('returns undefined from a server without embedded controllers', async () => {
    const getRaw = (): Promise<string> => Promise.reject(notFound({ group: '', resource: '' }, 'changes'));
    expect(await readChanges({ getRaw })).toBeUndefined();
  });

  it('shows neither values of Secrets nor credentials in errors', () => {
    const secret = (value: string) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      data: { a: value },
    });
    const feed = new ChangeFeed();
    const fields = fieldDifferences(secret('b2xkLXNlY3JldA=='), secret('bmV3LXNlY3JldA=='));
    feed.publish(record('s', { fields, result: 'failed', error: 'login failed, password: hunter2' }));
    const { body } = changesDocument(feed);
    expect(body).not.toMatch(/hunter2|b2xkLXNlY3JldA|bmV3LXNlY3JldA/);
    expect(read(feed).changes[0]).toMatchObject({ error: 'login failed, password: [hidden]' });
  });
});
