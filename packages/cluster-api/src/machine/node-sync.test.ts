import { describe, expect, it } from 'vitest';
import { edit, type Node } from '@slipway/runtime';
import { machineFixture } from '../testing/machine-objects.js';
import { type NodeSyncInput, syncNode } from './node-sync.js';

const machine = machineFixture('m');
const bare: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };
const bookkeeping = {
  'cluster.x-k8s.io/cluster-name': 'c',
  'cluster.x-k8s.io/cluster-namespace': 'default',
  'cluster.x-k8s.io/machine': 'm',
  'cluster.x-k8s.io/labels-from-machine': '',
  'cluster.x-k8s.io/annotations-from-machine': '',
};
const sync = (given: Partial<NodeSyncInput> = {}): NodeSyncInput['node'] =>
  syncNode({ machine, node: bare, interruptible: false, outdated: false, propagateTaints: false, ...given });

describe('labels and annotations of a Node', () => {
  it('refer to the machine and its owner', () => {
    const owned = edit(machine, ({ metadata }) => {
      metadata.ownerReferences = [
        { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'ms', uid: 'u', controller: true },
      ];
    });
    expect(sync({ machine: owned }).metadata.annotations).toEqual({
      ...bookkeeping,
      'cluster.x-k8s.io/owner-kind': 'MachineSet',
      'cluster.x-k8s.io/owner-name': 'ms',
    });
  });

  it('are those of the Node domains, and additional configured ones', () => {
    const labelled = edit(machine, ({ metadata }) => {
      metadata.labels = {
        'node-role.kubernetes.io/worker': '',
        'sub.node-role.kubernetes.io/no': '',
        'node-restriction.kubernetes.io/a': '1',
        'x.node-restriction.kubernetes.io/b': '2',
        'node.cluster.x-k8s.io/c': '3',
        'y.node.cluster.x-k8s.io/d': '4',
        'mynode.cluster.x-k8s.io.evil/e': '5',
        'example.com/wanted': '6',
        'example.com/other': '7',
      };
      metadata.annotations = { 'node.cluster.x-k8s.io/f': '8', 'node-role.kubernetes.io/no': '9' };
    });
    const synced = sync({ machine: labelled, additionalLabels: [/^example\.com\/wanted$/] });
    expect(synced.metadata.labels).toEqual({
      'node-role.kubernetes.io/worker': '',
      'node-restriction.kubernetes.io/a': '1',
      'x.node-restriction.kubernetes.io/b': '2',
      'node.cluster.x-k8s.io/c': '3',
      'y.node.cluster.x-k8s.io/d': '4',
      'example.com/wanted': '6',
    });
    expect(synced.metadata.annotations).toMatchObject({
      'node.cluster.x-k8s.io/f': '8',
      'cluster.x-k8s.io/annotations-from-machine': 'node.cluster.x-k8s.io/f',
      'cluster.x-k8s.io/labels-from-machine':
        'example.com/wanted,node-restriction.kubernetes.io/a,node-role.kubernetes.io/worker,node.cluster.x-k8s.io/c,x.node-restriction.kubernetes.io/b,y.node.cluster.x-k8s.io/d',
    });
    expect(synced.metadata.annotations).not.toHaveProperty(['node-role.kubernetes.io/no']);
  });

  it('are removed with those of the machine, and others are kept', () => {
    const node = edit(bare, ({ metadata }) => {
      metadata.labels = { 'node.cluster.x-k8s.io/old': '', 'kubernetes.io/os': 'linux' };
      metadata.annotations = {
        'node.cluster.x-k8s.io/old': '',
        'csi.example.com/id': 'x',
        'cluster.x-k8s.io/labels-from-machine': 'node.cluster.x-k8s.io/old',
        'cluster.x-k8s.io/annotations-from-machine': 'node.cluster.x-k8s.io/old',
        'cluster.x-k8s.io/owner-kind': 'MachineSet',
      };
    });
    const synced = sync({ node });
    expect(synced.metadata.labels).toEqual({ 'kubernetes.io/os': 'linux' });
    expect(synced.metadata.annotations).toEqual({ ...bookkeeping, 'csi.example.com/id': 'x' });
  });

  it('mark interruptible machines', () => {
    const synced = sync({ interruptible: true });
    expect(synced.metadata.labels).toEqual({ 'cluster.x-k8s.io/interruptible': '' });
    expect(sync({ node: synced }).metadata.labels).toEqual({});
  });

  it('are unchanged if they match', () => {
    const synced = sync();
    expect(sync({ node: synced })).toBe(synced);
  });
});

describe('taints of a Node', () => {
  type Taints = NonNullable<NonNullable<Node['spec']>['taints']>;
  const taint = (key: string, propagation: 'Always' | 'OnInitialization', value?: string) =>
    ({ key, effect: 'NoSchedule', propagation, ...(value && { value }) }) as const;
  const withTaints = (taints: Taints, tracked?: string): Node => ({
    ...bare,
    metadata: {
      ...bare.metadata,
      ...(tracked !== undefined && { annotations: { 'cluster.x-k8s.io/taints-from-machine': tracked } }),
    },
    spec: { taints },
  });
  const wanting = (...taints: ReturnType<typeof taint>[]) => edit(machine, ({ spec }) => void (spec.taints = taints));
  const plain = (key: string, value?: string) => ({ key, effect: 'NoSchedule', ...(value && { value }) });

  const rows: { name: string; given: Partial<NodeSyncInput>; then: Taints; tracked?: string }[] = [
    {
      name: 'removes the uninitialized taint once the labels are set',
      given: { node: withTaints([plain('node.cluster.x-k8s.io/uninitialized'), plain('other')]) },
      then: [plain('other')],
    },
    {
      name: 'adds the outdated-revision taint to an older revision',
      given: { outdated: true },
      then: [{ key: 'node.cluster.x-k8s.io/outdated-revision', effect: 'PreferNoSchedule' }],
    },
    {
      name: 'removes the outdated-revision taint from the newest revision',
      given: { node: withTaints([{ key: 'node.cluster.x-k8s.io/outdated-revision', effect: 'PreferNoSchedule' }]) },
      then: [],
    },
    {
      name: 'ignores taints of the machine while the feature gate is disabled',
      given: { machine: wanting(taint('a', 'Always')) },
      then: [],
    },
    {
      name: 'adds both kinds of taints at first',
      given: { propagateTaints: true, machine: wanting(taint('b', 'Always', 'v'), taint('a', 'OnInitialization')) },
      then: [plain('b', 'v'), plain('a')],
      tracked: 'b:NoSchedule',
    },
    {
      name: 'later updates only Always taints, with their value',
      given: {
        propagateTaints: true,
        machine: wanting(taint('b', 'Always', 'new'), taint('a', 'OnInitialization')),
        node: withTaints([plain('b', 'old')], 'b:NoSchedule'),
      },
      then: [plain('b', 'new')],
      tracked: 'b:NoSchedule',
    },
    {
      name: 'removes Always taints that the machine no longer has, and keeps OnInitialization taints',
      given: {
        propagateTaints: true,
        machine: wanting(taint('a', 'OnInitialization')),
        node: withTaints([plain('a'), plain('b'), plain('mine')], 'a:NoSchedule,b:NoSchedule'),
      },
      then: [plain('a'), plain('mine')],
      tracked: '',
    },
  ];
  it.each(rows)('$name', ({ given, then, tracked }) => {
    const synced = sync(given);
    expect(synced.spec?.taints ?? []).toEqual(then);
    expect(synced.metadata.annotations?.['cluster.x-k8s.io/taints-from-machine']).toBe(tracked);
  });
});
