import type { Frozen } from '@slipway/kube';
import type { Sources } from '@slipway/runtime';
import { expect, it } from 'vitest';
import type { DevMachine, DevMachinePool } from '../api/index.js';
import { machinesOfPool } from './pool-machines.js';

it('returns the machines of a pool by name, in whatever order the cache has them', () => {
  const cached = ['pool-c', 'pool-a', 'pool-b'].map((name) => ({ metadata: { name } }) as DevMachine);
  const sources = { sourceFor: () => ({ byIndex: () => cached }) } as unknown as Sources;
  const pool = { metadata: { name: 'pool', uid: 'uid' } } as Frozen<DevMachinePool>;
  expect(machinesOfPool(sources, pool).map(({ metadata }) => metadata.name)).toEqual(['pool-a', 'pool-b', 'pool-c']);
});
