import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonValue } from '../json/index.js';
import { compileJsonPath } from './json-path.js';

const machine = {
  metadata: { name: 'm', labels: { 'cluster.x-k8s.io/name': 'c' }, creationTimestamp: 'now' },
  spec: { replicas: 3, list: [1, 2, 3, 4], nested: [[1], [2]] },
  status: {
    ready: true,
    conditions: [
      { type: 'Ready', status: 'True', generation: 2 },
      { type: 'Paused', status: 'False', generation: 1, reason: 'Ready' },
    ],
  },
};

describe('compileJsonPath', () => {
  it.each([
    ['.metadata.name', ['m']],
    ['{.metadata.name}', ['m']],
    ['$.metadata.name', ['m']],
    ['metadata.name', ['m']],
    ['.metadata.labels.cluster\\.x-k8s\\.io/name', ['c']],
    [".metadata.labels['cluster.x-k8s.io/name']", ['c']],
    [".metadata.labels['cluster\\.x-k8s\\.io/name']", ['c']],
    ['.metadata.labels["cluster.x-k8s.io/name"]', ['c']],
    ["['metadata']['name']", ['m']],
    ['.spec.replicas', [3]],
    ['.spec.list[0]', [1]],
    ['.spec.list[-1]', [4]],
    ['.spec.list[9]', []],
    ['.spec.list[*]', [1, 2, 3, 4]],
    ['.spec.list[1:3]', [2, 3]],
    ['.spec.list[-2:]', [3, 4]],
    ['.spec.list[::2]', [1, 3]],
    ['.spec.list[0,2]', [1, 3]],
    ['.spec.nested[*][0]', [1, 2]],
    ["['metadata','spec'].name", ['m']],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".status.conditions[?(@.type=='Ready')].status", ['True']],
    ['.status.conditions[?( @.type != "Ready" )].type', ['Paused']],
    ['.status.conditions[?(@.generation>1)].type', ['Ready']],
    ['.status.conditions[?(@.generation>=1)].type', ['Ready', 'Paused']],
    ['.status.conditions[?(@.generation<2)].type', ['Paused']],
    ['.status.conditions[?(@.reason)].type', ['Paused']],
    ['.status.conditions[?(@.reason=="Ready")].type', ['Paused']],
    ['.status.conditions[?(@.generation=="1")].type', []],
    ['.status.conditions[*].type', ['Ready', 'Paused']],
    ['.metadata.name.more', []],
    ['.missing[0].x', []],
    ['.constructor.name', []],
    ['.spec.list.length', []],
    ['.', [machine]],
  ])('%s', (path, results) => {
    const compiled = compileJsonPath(path);
    expect(compiled.evaluate(machine)).toEqual(results);
    expect(compiled.first(machine)).toEqual(results[0]);
  });

  it.each([
    '..name',
    '.a[',
    '.a[]',
    '.a[?(@.b=]',
    '.a]',
    '.a b',
    '.a[x]',
    '.a.',
    '.a[0',
    '.a[::0]',
    '.a[?(b)]',
    'x'.repeat(5_000),
  ])('rejects %s', (path) => {
    expect(() => compileJsonPath(path)).toThrow(expect.objectContaining({ name: 'JsonPathError' }));
  });

  it('returns the field names of a path of plain fields', () => {
    expect(compileJsonPath('.spec.replicas').fields).toEqual(['spec', 'replicas']);
    expect(compileJsonPath('.spec.list[0]').fields).toBeUndefined();
  });

  it('never reads inherited members', () => {
    expect(compileJsonPath('.__proto__').evaluate({})).toEqual([]);
    expect(compileJsonPath('.__proto__.a').evaluate(parseJsonValue('{"__proto__":{"a":1}}'))).toEqual([1]);
  });

  it('limits the work of nested unions', () => {
    const path = `.a${'[*,*,*,*]'.repeat(400)}`;
    const nested = parseJsonValue(`{"a":${'['.repeat(401)}1${']'.repeat(401)}}`);
    expect(compileJsonPath(path).evaluate(nested)).toEqual([]);
  });

  it('finds any quoted key', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (key, value) => {
        const quoted = key.replaceAll(/[\\']/g, '\\$&');
        const object = parseJsonValue(JSON.stringify(Object.fromEntries([[key, value]])));
        expect(compileJsonPath(`['${quoted}']`).evaluate(object)).toEqual([parseJsonValue(JSON.stringify(value))]);
      }),
    );
  });
});
