import { describe, expect, it } from 'vitest';
import { readManifest } from './manifest.js';

describe('a manifest', () => {
  it('is any number of documents, with lists taken apart', () => {
    const item = (name: string): string => `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"${name}"}}`;
    const text = `${item('a')}\n---\n\n---\napiVersion: v1\nkind: List\nitems: [${item('b')}, ${item('c')}]\n`;
    expect(readManifest(text, 'x.yaml').map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
  });

  const bad = [
    { name: 'a list', text: '- a\n', says: 'x.yaml, document 1: not an object' },
    { name: 'no kind', text: 'a: 1\n', says: 'x.yaml, document 1: apiVersion and kind are missing' },
    {
      name: 'no name',
      text: 'kind: A\napiVersion: v1\nmetadata: {}\n',
      says: 'x.yaml, document 1: metadata.name is missing',
    },
    { name: 'no YAML', text: 'a: [', says: /^x\.yaml: / },
  ];
  it.each(bad)('with $name says where', ({ text, says }) => {
    expect(() => readManifest(text, 'x.yaml')).toThrow(says);
  });
});
