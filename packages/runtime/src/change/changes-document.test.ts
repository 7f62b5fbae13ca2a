import { describe, expect, it } from 'vitest';
import { ChangeFeed, type ChangeRecord } from './change-feed.js';
import { changesDocument } from './changes-document.js';
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
