import { describe, expect, it } from 'vitest';
import type { Observed } from '../objects/index.js';
import { groupPlaces } from './group-machines.js';
import { machineDetails } from './machine-details.js';
import { nodeTitle, type TreeNode } from './tree-node.js';

const infrastructure = (vm: object | undefined): Observed =>
  ({ apiVersion: 'x/v1', kind: 'KVMMachine', metadata: { name: 'a' }, status: { vm } }) as unknown as Observed;
const machine = (name: string): Observed => ({ apiVersion: 'x/v1', kind: 'Machine', metadata: { name } }) as Observed;
const node = (name: string, details: readonly string[]): TreeNode => ({
  kind: 'Machine',
  namespace: 'default',
  name,
  version: 'v1.36.3',
  details,
  counters: {},
  children: [],
});

describe('what is known of virtual machines', () => {
  it.each([
    { vm: { cpus: 2, memoryMiB: 4096, accelerator: 'kvm', boots: 1 }, says: ['2 CPUs', '4096 MiB', 'kvm', '1 boot'] },
    { vm: { cpus: 1, accelerator: 'tcg', boots: 3 }, says: ['1 CPU', 'tcg', '3 boots'] },
    { vm: undefined, says: [] },
  ])('is $says', ({ vm, says }) => {
    expect(machineDetails(infrastructure(vm))).toEqual(says);
  });

  it('stands behind the name of a machine; a group says what all of them share', () => {
    const one = node('a', ['2 CPUs', 'tcg', '1 boot']);
    const other = node('b', ['2 CPUs', 'tcg', '2 boots']);
    expect(nodeTitle(one)).toBe('Machine default/a, v1.36.3 (2 CPUs, tcg, 1 boot)');
    const places = [one, other].map((each) => ({ object: machine(each.name), node: each }));
    expect(groupPlaces(places, false).map(nodeTitle)).toEqual(['2 Machines... (2 CPUs, tcg)']);
  });
});
