import { describe, expect, it } from 'vitest';
import { parseManifest } from './parse-manifest.js';

describe('a manifest', () => {
  const item = (name: string): string => `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"${name}"}}`;

  it('is any number of documents, with lists of any kind taken apart', () => {
    const lists = ['List', 'SecretList'].map((kind) => `apiVersion: v1\nkind: ${kind}\nitems: [${item(kind)}]\n`);
    const text = [item('a'), '', ...lists].join('\n---\n');
    expect(parseManifest(text).map(({ metadata }) => metadata.name)).toEqual(['a', 'List', 'SecretList']);
  });

  const list = `apiVersion: v1\nkind: List\nitems: [${item('a')}, {}]`;
  it.each([
    { name: 'no object', text: '- a\n', says: 'document 1: it is no object' },
    { name: 'no kind', text: 'a: 1\n', says: 'document 1: apiVersion and kind are missing' },
    { name: 'no metadata', text: 'kind: A\napiVersion: v1\n', says: 'document 1: metadata is missing' },
    { name: 'an item that is nothing', text: list, says: 'document 1, item 2: apiVersion and kind are missing' },
    { name: 'no YAML', text: 'a: [', says: 'error converting YAML' },
  ])('with $name says where', ({ text, says }) => {
    expect(() => parseManifest(text)).toThrow(says);
  });

  it('may leave names to the server, unless they are needed', () => {
    const text = 'kind: A\napiVersion: v1\nmetadata: { generateName: a- }\n';
    expect(parseManifest(text)).toHaveLength(1);
    expect(() => parseManifest(text, { needsNames: true })).toThrow('document 1: metadata.name is missing');
  });
});
