import { describe, expect, it } from 'vitest';
import type { Observed } from '../objects/index.js';
import { groupNodes } from './group-machines.js';
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

describe('machineDetails', () => {
  it.each([
    {
      vm: { cpus: 2, memoryMiB: 4096, accelerator: 'kvm', boots: 1 },
      expected: ['2 CPUs', '4096 MiB', 'kvm', '1 boot'],
    },
    { vm: { cpus: 1, accelerator: 'tcg', boots: 3 }, expected: ['1 CPU', 'tcg', '3 boots'] },
    { vm: undefined, expected: [] },
  ])('returns $expected', ({ vm, expected }) => {
    expect(machineDetails(infrastructure(vm))).toEqual(expected);
  });

  it('shows the details after the name of a machine, and those that a group has in common', () => {
    const one = node('a', ['2 CPUs', 'tcg', '1 boot']);
    const other = node('b', ['2 CPUs', 'tcg', '2 boots']);
    expect(nodeTitle(one)).toBe('Machine default/a, v1.36.3 (2 CPUs, tcg, 1 boot)');
    const places = [one, other].map((each) => ({ object: machine(each.name), node: each }));
    expect(groupNodes(places, false).map(nodeTitle)).toEqual(['2 Machines... (2 CPUs, tcg)']);
  });
});
