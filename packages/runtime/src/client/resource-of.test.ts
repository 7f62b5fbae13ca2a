import { describe, expect, expectTypeOf, it } from 'vitest';
import { defineKind, int32, object, optional, string } from '@slipway/kube/kit';
import type { Frozen } from '@slipway/kube';
import type { Client } from './client.js';
import { resourceOf } from './resource-of.js';

const thing = defineKind({
  group: 'example.com',
  kind: 'Thing',
  plural: 'things',
  scope: 'Cluster',
  versions: [
    { name: 'v1', served: true, storage: true, schema: { spec: optional(object({ size: optional(int32()) })) } },
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      schema: { spec: optional(object({ length: optional(string()) })) },
    },
  ],
});

describe('resourceOf', () => {
  it('uses the storage version unless another one is given', () => {
    const expected = { group: 'example.com', version: 'v1', kind: 'Thing', plural: 'things', namespaced: false };
    expect(resourceOf(thing)).toEqual(expected);
    expect(resourceOf(thing, 'v1beta1')).toEqual({ ...expected, version: 'v1beta1' });
    expect(() => resourceOf(thing, 'v2' as 'v1')).toThrow('Thing: no version v2 is declared');
  });

  it('has the type of its objects', () => {
    const read = (client: Client) => client.get(resourceOf(thing), { namespace: '', name: 'x' });
    const readOld = (client: Client) => client.get(resourceOf(thing, 'v1beta1'), { namespace: '', name: 'x' });
    expectTypeOf<Awaited<ReturnType<typeof read>>['spec']>().toEqualTypeOf<Frozen<{ size?: number }> | undefined>();
    expectTypeOf<Awaited<ReturnType<typeof readOld>>['apiVersion']>().toEqualTypeOf<'example.com/v1beta1'>();
  });
});
