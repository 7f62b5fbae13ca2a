import { describe, expect, it } from 'vitest';
import { parseManifest } from './parse-manifest.js';

describe('parseManifest', () => {
  const item = (name: string): string => `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"${name}"}}`;

  it('parses any number of documents, and expands Lists of any kind', () => {
    const lists = ['List', 'SecretList'].map((kind) => `apiVersion: v1\nkind: ${kind}\nitems: [${item(kind)}]\n`);
    const text = [item('a'), '', ...lists].join('\n---\n');
    expect(parseManifest(text).map(({ metadata }) => metadata.name)).toEqual(['a', 'List', 'SecretList']);
  });

  const list = `apiVersion: v1\nkind: List\nitems: [${item('a')}, {}]`;
  it.each([
    { name: 'a list', text: '- a\n', message: 'document 1: not an object' },
    { name: 'a missing kind', text: 'a: 1\n', message: 'document 1: apiVersion and kind are missing' },
    { name: 'missing metadata', text: 'kind: A\napiVersion: v1\n', message: 'document 1: metadata is missing' },
    { name: 'an empty item', text: list, message: 'document 1, item 2: apiVersion and kind are missing' },
    { name: 'invalid YAML', text: 'a: [', message: 'error converting YAML' },
  ])('rejects a manifest with $name, with its position', ({ text, message }) => {
    expect(() => parseManifest(text)).toThrow(message);
  });

  it('accepts generateName unless names are required', () => {
    const text = 'kind: A\napiVersion: v1\nmetadata: { generateName: a- }\n';
    expect(parseManifest(text)).toHaveLength(1);
    expect(() => parseManifest(text, { needsNames: true })).toThrow('document 1: metadata.name is missing');
  });
});
