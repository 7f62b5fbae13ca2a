import { describe, expect, it } from 'vitest';
import { readManifest } from './manifest.js';

describe('readManifest', () => {
  it('reads any number of documents, and the items of Lists', () => {
    const item = (name: string): string => `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"${name}"}}`;
    const text = `${item('a')}\n---\n\n---\napiVersion: v1\nkind: List\nitems: [${item('b')}, ${item('c')}]\n`;
    expect(readManifest(text, 'x.yaml').map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
  });

  const bad = [
    { name: 'a document that is a list', text: '- a\n', expected: 'x.yaml, document 1: not an object' },
    {
      name: 'an object without a kind',
      text: 'a: 1\n',
      expected: 'x.yaml, document 1: apiVersion and kind are missing',
    },
    {
      name: 'an object without a name',
      text: 'kind: A\napiVersion: v1\nmetadata: {}\n',
      expected: 'x.yaml, document 1: metadata.name is missing',
    },
    { name: 'invalid YAML', text: 'a: [', expected: /^x\.yaml: / },
  ];
  it.each(bad)('reports the position of $name', ({ text, expected }) => {
    expect(() => readManifest(text, 'x.yaml')).toThrow(expected);
  });
});
