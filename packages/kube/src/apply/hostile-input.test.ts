import { describe, expect, it } from 'vitest';
import { jsonDepthMax, type JsonObject, type JsonValue } from '../json/index.js';
import { widget, WidgetServer } from './testing/widget.js';

function nested(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return value;
}

describe('apply with hostile input', () => {
  it('tracks and merges objects at the depth limit', async () => {
    const server = new WidgetServer();
    const free = nested(jsonDepthMax - 4) as JsonObject;
    await server.update('a', widget({ free }));
    await server.apply('b', widget({ free: { b: 1 } }));
    await server.apply('b', widget({ color: 'red' }));
    expect(server.live?.['spec']).toEqual({ free, color: 'red' });
  });

  it('takes limited time for very many keys and items', async () => {
    const count = 5_000;
    const tags = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${(index * 7919) % count}`, 'x']));
    const items = Array.from({ length: count }, (_, index) => ({ name: `i${(index * 7919) % count}` }));
    const words = items.map(({ name }) => name);
    const server = new WidgetServer();
    await server.update('a', widget({ tags, items, words }));
    await server.apply('b', widget({ tags, items: items.toReversed(), words: words.toReversed() }));
    await server.apply('b', widget({ color: 'red' }));
    expect(server.entries).toHaveLength(2);
  });

  it('treats names from Object.prototype as ordinary fields', async () => {
    const hostile = JSON.parse('{"__proto__":"1","constructor":"2","toString":"3","hasOwnProperty":"4"}') as JsonObject;
    const server = new WidgetServer();
    await server.apply('a', widget({ tags: hostile, free: hostile }, {}, { labels: hostile }));
    expect(server.claims['a Apply']).toEqual({
      'f:metadata': {
        'f:labels': { 'f:__proto__': {}, 'f:constructor': {}, 'f:hasOwnProperty': {}, 'f:toString': {} },
      },
      'f:spec': {
        'f:free': { 'f:__proto__': {}, 'f:constructor': {}, 'f:hasOwnProperty': {}, 'f:toString': {} },
        'f:tags': { 'f:__proto__': {}, 'f:constructor': {}, 'f:hasOwnProperty': {}, 'f:toString': {} },
      },
    });
    await server.apply('a', widget({ color: 'red' }));
    expect(server.live?.['spec']).toEqual({ color: 'red' });
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it('treats a manager named like a member of Object.prototype as ordinary', async () => {
    const server = new WidgetServer();
    await server.update('__proto__', widget({ color: 'red' }));
    await server.apply('constructor', widget({ size: 1 }));
    expect(server.entries.map(({ manager }) => manager)).toEqual(['constructor', '__proto__']);
  });
});
