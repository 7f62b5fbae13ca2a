import { describe, expect, it } from 'vitest';
import { type Form, FormCache } from './form-cache.js';
import { Version } from './version.js';

const key = { resource: 'things', namespace: 'default', name: 'one' };

function versionOf(cache: FormCache, labels?: Record<string, string>): Version {
  const metadata = { name: 'one', ...(labels === undefined ? {} : { labels }) };
  return Version.ofObject(cache, key, 7, { apiVersion: 'v1', kind: 'Thing', metadata, spec: { size: 3 } });
}

/** Evicts all earlier entries from the cache, by adding versions that are larger than it. */
function pushOut(cache: FormCache): void {
  for (let round = 0; round < 3; round += 1)
    expect(versionOf(cache, { round: String(round) }).bytes.length).toBeGreaterThan(0);
}

describe.each<Form>(['object', 'record'])('a version that keeps its %s', (kept) => {
  it('returns the same object and bytes after the other form was evicted', () => {
    const cache = new FormCache(200, kept);
    const version = versionOf(cache, { app: 'web' });
    const bytes = version.bytes.toString();
    const object = structuredClone(version.object);
    pushOut(cache);
    expect(version.object).toEqual(object);
    expect(version.bytes.toString()).toBe(bytes);
    expect(Object.isFrozen(version.object.metadata)).toBe(true);
  });

  it.each([{ labels: { app: 'web' } }, { labels: undefined }])('returns its labels: $labels', ({ labels }) => {
    const cache = new FormCache(200, kept);
    const version = versionOf(cache, labels);
    expect(version.labels).toEqual(labels);
    expect(version.bytes.length).toBeGreaterThan(0);
    pushOut(cache);
    expect(version.labels).toEqual(labels);
  });
});

it('puts kind and apiVersion first and keeps the order of the rest', () => {
  const object = { spec: {}, metadata: { name: 'one' }, apiVersion: 'v1', kind: 'Thing', ['__proto__']: 1 };
  const version = Version.ofObject(new FormCache(200, 'record'), key, 7, object);
  expect(version.bytes.toString()).toBe(
    '{"kind":"Thing","apiVersion":"v1","spec":{},"metadata":{"name":"one","resourceVersion":"7"},"__proto__":1}',
  );
});
