import { describe, expect, it } from 'vitest';
import type { Schema } from '../schema/index.js';
import { overlayConfiguration } from './overlay-configuration.js';

const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        args: { type: 'array', items: { type: 'string' } },
        owner: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { name: { type: 'string' } } },
        containers: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: { type: 'string' }, image: { type: 'string' } } },
        },
      },
    },
  },
};

const live = {
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'a', labels: { kept: 'yes' } },
  spec: { replicas: 1, containers: [{ name: 'one', image: 'a' }] },
};
const type = { apiVersion: 'example.com/v1', kind: 'Thing' };

describe('overlayConfiguration', () => {
  it.each([
    [
      'merges maps by key',
      { ...type, metadata: { labels: { added: 'x' } } },
      { ...live, metadata: { name: 'a', labels: { kept: 'yes', added: 'x' } } },
    ],
    [
      'merges items by their key',
      { ...type, spec: { containers: [{ name: 'two', image: 'b' }] } },
      {
        ...live,
        spec: {
          replicas: 1,
          containers: [
            { name: 'one', image: 'a' },
            { name: 'two', image: 'b' },
          ],
        },
      },
    ],
    ['replaces scalars', { ...type, spec: { replicas: 5 } }, { ...live, spec: { ...live.spec, replicas: 5 } }],
  ])('%s', (_name, config, expected) => {
    expect(overlayConfiguration(schema, live, config)).toEqual(expected);
  });

  it.each([
    [
      'atomic lists',
      { ...type, spec: { args: ['x'] } },
      'invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.args',
    ],
    [
      'atomic maps',
      { ...type, spec: { owner: { name: 'x' } } },
      'invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.owner',
    ],
    [
      'undeclared fields',
      { ...type, spec: { nothing: 1 } },
      'failed to convert patch object to typed object: .spec.nothing: field not declared in schema',
    ],
  ])('rejects %s', (_name, config, message) => {
    expect(() => overlayConfiguration(schema, live, config)).toThrow(message);
  });

  it('does not change the live object', () => {
    const frozen = structuredClone(live);
    const result = overlayConfiguration(schema, live, { ...type, spec: { replicas: 2 } });
    (result['metadata'] as Record<string, unknown>)['name'] = 'changed';
    expect(live).toEqual(frozen);
  });
});
