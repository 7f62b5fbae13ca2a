import { describe, expect, it } from 'vitest';
import { parseObjectArguments } from './object-arguments.js';
import { findServed, type ServedResource } from './served-resources.js';

it.each([
  { args: ['clusters'], then: [{ type: 'clusters' }] },
  { args: ['clusters,machines'], then: [{ type: 'clusters' }, { type: 'machines' }] },
  {
    args: ['machine', 'a', 'b'],
    then: [
      { type: 'machine', name: 'a' },
      { type: 'machine', name: 'b' },
    ],
  },
  {
    args: ['machine/a', 'md/b'],
    then: [
      { type: 'machine', name: 'a' },
      { type: 'md', name: 'b' },
    ],
  },
])('parses $args', ({ args, then }) => {
  expect(parseObjectArguments(args)).toEqual(then);
});

it.each([
  { args: [], problem: 'a resource type is required' },
  { args: ['a,b', 'c'], problem: 'several types cannot be combined with names' },
  { args: ['machine/'], problem: '"machine/" is not TYPE/NAME' },
  { args: ['machine/a', 'b'], problem: '"b" is not TYPE/NAME' },
])('rejects $args', ({ args, problem }) => {
  expect(() => parseObjectArguments(args)).toThrow(problem);
});

describe('findServed', () => {
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

  it('finds the version in a type with a version', () => {
    expect(findServed(served, 'machines.v1beta1.cluster.x-k8s.io')).toEqual([older]);
  });

  it('finds each type of a category once', () => {
    expect(findServed(served, 'cluster-api')).toEqual([machines]);
  });

  it('rejects a type that the server does not have', () => {
    expect(() => findServed(served, 'dogs')).toThrow('the server does not have a resource type "dogs"');
  });
});
