import { createHash } from 'node:crypto';
import type { ConfigMap, Secret } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { PayloadError, readPayload } from './payload.js';

const configMap = (data: Record<string, string> | undefined): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'm', namespace: 'n' },
  ...(data && { data }),
});
const secret = (data: Record<string, string>): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', namespace: 'n' },
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
});
const manifest = (kind: string, name: string): string =>
  `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n  namespace: default\n`;
const namesOf = (source: ConfigMap | Secret): string[] =>
  readPayload(source).objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

describe('payloads', () => {
  const rows = [
    {
      name: 'every key, in sorted order',
      source: configMap({ b: manifest('Pod', 'second'), a: manifest('Pod', 'first') }),
      then: ['Pod first', 'Pod second'],
    },
    {
      name: 'several documents without empty ones, sorted for creation within one value',
      source: configMap({
        a: `---\n${manifest('Service', 'x')}---\n---\n${manifest('ConfigMap', 'w')}---\n${manifest('Namespace', 'z')}`,
      }),
      then: ['Namespace z', 'ConfigMap w', 'Service x'],
    },
    {
      name: 'a JSON list',
      source: configMap({
        a: `  [${JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } })}, ${JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } })}]`,
      }),
      then: ['Secret s', 'Pod p'],
    },
    {
      name: 'a JSON object',
      source: configMap({ a: JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }) }),
      then: ['Pod p'],
    },
    {
      name: 'a List',
      source: configMap({
        a: JSON.stringify({
          apiVersion: 'v1',
          kind: 'List',
          items: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }],
        }),
      }),
      then: ['Pod p'],
    },
    { name: 'a Secret', source: secret({ a: manifest('Pod', 'p') }), then: ['Pod p'] },
  ];
  it.each(rows)('reads $name', ({ source, then }) => {
    expect(namesOf(source)).toEqual(then);
  });

  const bad = [
    {
      name: 'a value under 32 bytes [14.25]',
      source: configMap({ a: 'kind: Pod' }),
      then: 'contains fewer than 32 bytes',
    },
    { name: 'no data', source: configMap(undefined), then: 'failed to get data field from resource ConfigMap n/m' },
    { name: 'invalid YAML', source: secret({ a: `pass: "unclosed${' '.repeat(40)}` }), then: 'neither YAML nor JSON' },
    { name: 'an invalid list', source: configMap({ a: `[${' '.repeat(40)}{` }), then: 'neither YAML nor JSON' },
    { name: 'a plain string', source: configMap({ a: 'x'.repeat(40) }), then: 'not an object' },
    {
      name: 'an object without kind',
      source: configMap({ a: `metadata: {name: ${'x'.repeat(30)}}` }),
      then: 'without apiVersion or kind',
    },
    {
      name: 'an object without a name',
      source: configMap({ a: `apiVersion: v1\nkind: Pod\nmetadata: {labels: {}}` }),
      then: 'a Pod without metadata.name',
    },
  ];
  it.each(bad)('rejects $name, without quoting the content', ({ source, then }) => {
    expect(() => readPayload(source)).toThrow(then);
    expect(() => readPayload(source)).toThrow(PayloadError);
    expect(() => readPayload(source)).not.toThrow('unclosed');
  });

  it('hashes all values in the order of their keys', () => {
    const [first, second] = [manifest('Pod', 'first'), manifest('Pod', 'second')];
    const hash = `sha256:${createHash('sha256').update(`${first}${second}`).digest('hex')}`;
    expect(readPayload(configMap({ b: second, a: first })).hash).toBe(hash);
    expect(readPayload(secret({ b: second, a: first })).hash).toBe(hash);
  });
});
