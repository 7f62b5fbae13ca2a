import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cloneJson, deepFreeze, type MutableJsonObject, parseJsonValue, stringifyJson } from '../json/index.js';
import type { Schema } from '../schema/index.js';
import { applyStrategicMergePatch, decodeStrategicMergePatch } from './strategic-merge-patch.js';

const container: Schema = {
  type: 'object',
  refName: 'Container',
  properties: {
    name: { type: 'string' },
    image: { type: 'string' },
    args: { type: 'array', items: { type: 'string' } },
    ports: {
      type: 'array',
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'containerPort',
      items: { type: 'object', properties: { containerPort: { type: 'integer' }, name: { type: 'string' } } },
    },
  },
};
const schema: Schema = {
  type: 'object',
  properties: {
    containers: {
      type: 'array',
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
      items: container,
    },
    volumes: {
      type: 'array',
      'x-kubernetes-patch-strategy': 'merge,retainKeys',
      'x-kubernetes-patch-merge-key': 'name',
      items: { type: 'object' },
    },
    finalizers: { type: 'array', 'x-kubernetes-patch-strategy': 'merge', items: { type: 'string' } },
    unkeyed: { type: 'array', 'x-kubernetes-patch-strategy': 'merge', items: { type: 'object' } },
    strategy: { type: 'object', 'x-kubernetes-patch-strategy': 'retainKeys' },
    replaced: { type: 'object', 'x-kubernetes-patch-strategy': 'replace' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

const apply = (document: unknown, patch: unknown): unknown =>
  applyStrategicMergePatch(
    cloneJson(document) as MutableJsonObject,
    decodeStrategicMergePatch(deepFreeze(patch)),
    schema,
  );

const two = {
  containers: [
    { name: 'a', image: '1' },
    { name: 'b', image: '1' },
  ],
};

describe('applyStrategicMergePatch', () => {
  const rows: { name: string; document: unknown; patch: unknown; result: unknown }[] = [
    {
      name: 'merges maps and removes nulls',
      document: { labels: { a: '1', b: '2' } },
      patch: { labels: { a: null, c: '3' } },
      result: { labels: { b: '2', c: '3' } },
    },
    {
      name: 'drops nulls in new values',
      document: {},
      patch: { labels: { a: null, c: '3' } },
      result: { labels: { c: '3' } },
    },
    {
      name: 'merges lists by key',
      document: two,
      patch: { containers: [{ name: 'b', image: '2' }] },
      result: {
        containers: [
          { name: 'a', image: '1' },
          { name: 'b', image: '2' },
        ],
      },
    },
    {
      name: 'appends new elements',
      document: two,
      patch: { containers: [{ name: 'c', image: '9' }] },
      result: { containers: [{ name: 'c', image: '9' }, ...two.containers] },
    },
    {
      name: "orders the elements of the patch in the patch's order",
      document: two,
      patch: { containers: [{ name: 'b' }, { name: 'a' }] },
      result: {
        containers: [
          { name: 'b', image: '1' },
          { name: 'a', image: '1' },
        ],
      },
    },
    {
      name: 'merges lists in lists by integer keys',
      document: { containers: [{ name: 'a', ports: [{ containerPort: 80 }, { containerPort: 81 }] }] },
      patch: { containers: [{ name: 'a', ports: [{ containerPort: 81, name: 'x' }] }] },
      result: { containers: [{ name: 'a', ports: [{ containerPort: 80 }, { containerPort: 81, name: 'x' }] }] },
    },
    {
      name: 'replaces atomic lists',
      document: { containers: [{ name: 'a', args: ['1'] }] },
      patch: { containers: [{ name: 'a', args: ['2'] }] },
      result: { containers: [{ name: 'a', args: ['2'] }] },
    },
    {
      name: 'removes an element with $patch: delete',
      document: two,
      patch: { containers: [{ name: 'a', $patch: 'delete' }] },
      result: { containers: [{ name: 'b', image: '1' }] },
    },
    {
      name: 'replaces the whole list with $patch: replace',
      document: two,
      patch: { containers: [{ name: 'z' }, { $patch: 'replace' }] },
      result: { containers: [{ name: 'z' }] },
    },
    {
      name: 'replaces an object with $patch: replace',
      document: { labels: { a: '1' } },
      patch: { labels: { $patch: 'replace', b: '2' } },
      result: { labels: { b: '2' } },
    },
    {
      name: 'removes an object with $patch: delete',
      document: { labels: { a: '1' } },
      patch: { labels: { $patch: 'delete' } },
      result: { labels: {} },
    },
    {
      name: 'replaces objects with the strategy replace',
      document: { replaced: { a: 1 } },
      patch: { replaced: { b: 2 } },
      result: { replaced: { b: 2 } },
    },
    {
      name: 'merges scalars as a set',
      document: { finalizers: ['a', 'b'] },
      patch: { finalizers: ['c', 'a'] },
      result: { finalizers: ['c', 'a', 'b'] },
    },
    {
      name: '$deleteFromPrimitiveList',
      document: { finalizers: ['a', 'b', 'c'] },
      patch: { '$deleteFromPrimitiveList/finalizers': ['b', 'x'] },
      result: { finalizers: ['a', 'c'] },
    },
    {
      name: 'accepts $deleteFromPrimitiveList for an absent list',
      document: {},
      patch: { '$deleteFromPrimitiveList/finalizers': ['b'] },
      result: {},
    },
    {
      name: 'orders objects by $setElementOrder',
      document: two,
      patch: { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] },
      result: { containers: [two.containers[1], two.containers[0]] },
    },
    {
      name: 'orders changed objects by $setElementOrder',
      document: two,
      patch: {
        '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }],
        containers: [{ name: 'c' }, { name: 'b', $patch: 'delete' }],
      },
      result: { containers: [{ name: 'c' }, two.containers[0]] },
    },
    {
      name: 'orders scalars by $setElementOrder',
      document: { finalizers: ['a', 'b'] },
      patch: { '$setElementOrder/finalizers': ['b', 'c', 'a'], finalizers: ['c'] },
      result: { finalizers: ['b', 'c', 'a'] },
    },
    {
      name: 'accepts $setElementOrder for an absent list',
      document: {},
      patch: { '$setElementOrder/containers': [{ name: 'b' }] },
      result: {},
    },
    {
      name: 'removes other keys with $retainKeys',
      document: { strategy: { type: 'A', a: 1 } },
      patch: { strategy: { $retainKeys: ['type', 'b'], type: 'B', b: 2 } },
      result: { strategy: { type: 'B', b: 2 } },
    },
    {
      name: 'applies $retainKeys in elements',
      document: { volumes: [{ name: 'v', emptyDir: {} }] },
      patch: { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/' } }] },
      result: { volumes: [{ name: 'v', hostPath: { path: '/' } }] },
    },
    {
      name: 'changes the type of a value',
      document: { x: 1, y: [1] },
      patch: { x: 'a', y: { z: 1 } },
      result: { x: 'a', y: { z: 1 } },
    },
    {
      name: 'merges unknown objects and replaces unknown lists',
      document: { x: { a: 1, l: [1] } },
      patch: { x: { b: 2, l: [2] } },
      result: { x: { a: 1, b: 2, l: [2] } },
    },
  ];
  it.each(rows)('$name', ({ document, patch, result }) => {
    expect(apply(document, patch)).toEqual(result);
  });

  const failures: { name: string; document?: unknown; patch: unknown; outcome: string; message: string }[] = [
    {
      name: 'a list',
      patch: [],
      outcome: 'malformed',
      message: 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    },
    {
      name: 'an unknown directive',
      document: { labels: {} },
      patch: { labels: { $patch: 'jump' } },
      outcome: 'unexpected',
      message: 'unknown patch type: jump in map: map[$patch:jump]',
    },
    {
      name: 'an element without its key',
      document: two,
      patch: { containers: [{ image: '2' }] },
      outcome: 'unexpected',
      message: 'map: map[image:2] does not contain declared merge key: name',
    },
    {
      name: 'a merge directive in a list',
      document: two,
      patch: { containers: [{ name: 'a', $patch: 'merge' }] },
      outcome: 'unexpected',
      message: 'merging lists cannot yet be specified in the patch',
    },
    {
      name: 'lists of lists',
      document: { finalizers: [[]] },
      patch: { finalizers: [['a']] },
      outcome: 'failed',
      message: 'lists of lists are not supported',
    },
    {
      name: 'mixed lists',
      document: two,
      patch: { containers: ['a'] },
      outcome: 'unexpected',
      message: 'list element types are not identical: [[map[image:1 name:a] map[image:1 name:b]] [a]]',
    },
    {
      name: 'merging without a key',
      document: { unkeyed: [{}] },
      patch: { unkeyed: [{}] },
      outcome: 'unexpected',
      message: 'cannot merge lists without merge key for struct',
    },
    {
      name: 'retainKeys that is not a list',
      document: { strategy: {} },
      patch: { strategy: { $retainKeys: 'x' } },
      outcome: 'malformed',
      message: 'invalid patch format of retainKeys',
    },
    {
      name: 'keys outside retainKeys',
      document: { strategy: {} },
      patch: { strategy: { $retainKeys: ['a'], b: 1 } },
      outcome: 'malformed',
      message: 'invalid patch format of retainKeys',
    },
    {
      name: 'an element order that is not a list',
      patch: { '$setElementOrder/containers': 'x' },
      outcome: 'unexpected',
      message: 'expected a []interface {}, but received a string',
    },
    {
      name: 'an element order without a field',
      patch: { $setElementOrder: [] },
      outcome: 'malformed',
      message: 'invalid patch format of setElementOrder list',
    },
    {
      name: 'a deletion list without a field',
      patch: { $deleteFromPrimitiveList: [] },
      outcome: 'malformed',
      message: 'invalid patch format of primitive list',
    },
    {
      name: 'elements outside the element order',
      document: two,
      patch: { '$setElementOrder/containers': [{ name: 'a' }], containers: [{ name: 'b' }] },
      outcome: 'unexpected',
      message: "The order in patch list:\n[map[name:b]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
    },
  ];
  it.each(failures)('rejects $name', ({ document, patch, outcome, message }) => {
    expect(() => apply(document ?? {}, patch)).toThrow(
      expect.objectContaining({ name: 'PatchError', outcome, message }),
    );
  });

  it('treats __proto__ as an ordinary key', () => {
    const patch = parseJsonValue('{"labels":{"__proto__":{"polluted":1}},"__proto__":{"x":1}}');
    expect(stringifyJson(apply({ labels: {} }, patch))).toBe(stringifyJson(patch));
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('merges long lists in linear time', () => {
    const list = Array.from({ length: 30_000 }, (_, index) => ({ name: `n${index}` }));
    const started = process.cpuUsage();
    apply({ containers: list }, { containers: [...list].reverse() });
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000);
  });

  it('is idempotent on merge lists', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const containers = fc.uniqueArray(fc.record({ name, image: fc.string() }), { selector: (item) => item.name });
    const patches = fc.uniqueArray(
      fc.oneof(fc.record({ name, image: fc.string() }), fc.record({ name, $patch: fc.constant('delete') })),
      { selector: (item) => item.name },
    );
    fc.assert(
      fc.property(containers, patches, (live, patch) => {
        const once = apply({ containers: live }, { containers: patch });
        expect(apply(once, { containers: patch })).toEqual(once);
      }),
    );
  });
});
