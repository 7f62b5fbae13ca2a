import { describe, expect, it } from 'vitest';
import { parseObjectArguments } from './object-arguments.js';
import { findServed, type ServedResource } from './served-resources.js';

it.each([
  { words: ['clusters'], then: [{ type: 'clusters' }] },
  { words: ['clusters,machines'], then: [{ type: 'clusters' }, { type: 'machines' }] },
  {
    words: ['machine', 'a', 'b'],
    then: [
      { type: 'machine', name: 'a' },
      { type: 'machine', name: 'b' },
    ],
  },
  {
    words: ['machine/a', 'md/b'],
    then: [
      { type: 'machine', name: 'a' },
      { type: 'md', name: 'b' },
    ],
  },
])('parses $words', ({ words, then }) => {
  expect(parseObjectArguments(words)).toEqual(then);
});

it.each([
  { words: [], problem: 'a resource type is required' },
  { words: ['a,b', 'c'], problem: 'several types cannot be combined with names' },
  { words: ['machine/'], problem: '"machine/" is not TYPE/NAME' },
  { words: ['machine/a', 'b'], problem: '"b" is not TYPE/NAME' },
])('rejects $words', ({ words, problem }) => {
  expect(() => parseObjectArguments(words)).toThrow(problem);
});

describe('a type on the command line', () => {
  const base = { version: 'v1beta2', namespaced: true, verbs: ['list'], subresources: [] };
  const machines: ServedResource = {
    ...base,
    group: 'cluster.x-k8s.io',
    kind: 'Machine',
    plural: 'machines',
    singular: 'machine',
    shortNames: ['ma'],
    categories: ['cluster-api'],
  };
  const older: ServedResource = { ...machines, version: 'v1beta1' };
  const pods: ServedResource = {
    ...base,
    group: '',
    version: 'v1',
    kind: 'Pod',
    plural: 'pods',
    singular: 'pod',
    shortNames: ['po'],
    categories: ['all'],
  };
  const served = [pods, machines, older];

  it.each(['machines', 'machine', 'Machine', 'ma', 'machines.cluster.x-k8s.io', 'machine.v1beta2.cluster.x-k8s.io'])(
    '%s names Machines in the preferred version',
    (type) => expect(findServed(served, type)).toEqual([machines]),
  );

  it('can name another version', () => {
    expect(findServed(served, 'machines.v1beta1.cluster.x-k8s.io')).toEqual([older]);
  });

  it('can be a category, which names each type once', () => {
    expect(findServed(served, 'cluster-api')).toEqual([machines]);
  });

  it('is rejected if the server does not have it', () => {
    expect(() => findServed(served, 'dogs')).toThrow('the server does not have a resource type "dogs"');
  });
});
