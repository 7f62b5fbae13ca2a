import type { KubeObject, OwnerReference } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { buildMoveGraph, type FoundObject, type MoveScope } from './graph.js';

interface Options {
  readonly group?: string;
  readonly namespace?: string;
  readonly owners?: readonly string[];
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly spec?: object;
  readonly kindMoves?: FoundObject['kindMoves'];
}

/** An object whose uid is `Kind/name`. */
function found(kind: string, name: string, options: Options = {}): FoundObject {
  const { group = 'cluster.x-k8s.io', namespace = 'default', owners = [], labels = {}, annotations = {} } = options;
  const ownerReferences = owners.map((uid): OwnerReference => {
    const [ownerKind = '', ownerName = ''] = uid.split('/');
    return { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: ownerKind, name: ownerName, uid };
  });
  const object: KubeObject = {
    apiVersion: group === '' ? 'v1' : `${group}/v1beta2`,
    kind,
    metadata: {
      name,
      uid: `${kind}/${name}`,
      labels,
      annotations,
      ownerReferences,
      ...(namespace !== '' && { namespace }),
    },
    ...(options.spec && { spec: options.spec }),
  };
  const resource = { group, version: 'v1beta2', kind, plural: `${kind.toLowerCase()}s`, namespaced: namespace !== '' };
  return { resource, object, ...(options.kindMoves && { kindMoves: options.kindMoves }) };
}

const secret = (name: string, options: Options = {}): FoundObject => found('Secret', name, { group: '', ...options });

function levels(objects: readonly FoundObject[], scope: Partial<MoveScope> = {}): string[][] {
  return buildMoveGraph(objects, { namespace: 'default', ...scope }).levels.map((level) => level.map(({ uid }) => uid));
}

const topology = (name: string, namespace = ''): object => ({ topology: { classRef: { name, namespace } } });

describe('the objects that move', () => {
  const rows: { name: string; objects: FoundObject[]; scope?: Partial<MoveScope>; then: string[][] }[] = [
    {
      name: 'are a Cluster and the objects that it owns, owners first',
      objects: [
        found('Machine', 'm', { owners: ['MachineSet/s'] }),
        found('MachineSet', 's', { owners: ['MachineDeployment/d'] }),
        found('MachineDeployment', 'd', { owners: ['Cluster/c'] }),
        found('Cluster', 'c'),
      ],
      then: [['Cluster/c'], ['MachineDeployment/d'], ['MachineSet/s'], ['Machine/m']],
    },
    {
      name: 'are Secrets with the name of the Cluster as a prefix, unless they have an owner',
      objects: [
        found('Cluster', 'c'),
        secret('c-ca'),
        secret('c-kubeconfig'),
        secret('c-other'),
        secret('d-ca'),
        secret('c-etcd', { owners: ['Stranger/x'] }),
      ],
      then: [['Cluster/c'], ['Secret/c-ca', 'Secret/c-kubeconfig']],
    },
    {
      name: 'are a ClusterClass before the Clusters that use it',
      objects: [found('Cluster', 'c', { spec: topology('k') }), found('ClusterClass', 'k')],
      then: [['ClusterClass/k'], ['Cluster/c']],
    },
    {
      name: 'are a binding after its Cluster and its set',
      objects: [
        found('ClusterResourceSetBinding', 'b', {
          group: 'addons.cluster.x-k8s.io',
          owners: ['ClusterResourceSet/r'],
          spec: { clusterName: 'c' },
        }),
        found('Cluster', 'c'),
        found('ClusterResourceSet', 'r', { group: 'addons.cluster.x-k8s.io' }),
        found('ConfigMap', 'add-on', { group: '', owners: ['ClusterResourceSet/r'] }),
      ],
      then: [
        ['Cluster/c', 'ClusterResourceSet/r'],
        ['ClusterResourceSetBinding/b', 'ConfigMap/add-on'],
      ],
    },
    {
      name: 'are objects with a move label, alone or with their dependents',
      objects: [
        found('Pool', 'p', { labels: { 'clusterctl.cluster.x-k8s.io/move': '' } }),
        found('Address', 'a', { owners: ['Pool/p'] }),
        found('Site', 's', { labels: { 'clusterctl.cluster.x-k8s.io/move-hierarchy': '' } }),
        secret('of-site', { owners: ['Site/s'] }),
      ],
      then: [['Pool/p', 'Site/s'], ['Secret/of-site']],
    },
    {
      name: 'are objects of a kind with a move label',
      objects: [
        found('Identity', 'i', { namespace: '', kindMoves: 'withDependents' }),
        secret('of-identity', { namespace: 'provider-system', owners: ['Identity/i'] }),
        found('Rule', 'r', { kindMoves: 'alone' }),
      ],
      then: [['Identity/i', 'Rule/r'], ['Secret/of-identity']],
    },
    {
      name: 'are only one Cluster with its ClusterClass',
      objects: [
        found('Cluster', 'a', { spec: topology('k') }),
        found('Cluster', 'b'),
        found('Machine', 'm', { owners: ['Cluster/b'] }),
        found('Machine', 'n', { owners: ['Cluster/a'] }),
        found('ClusterClass', 'k'),
      ],
      scope: { cluster: 'a' },
      then: [['ClusterClass/k'], ['Cluster/a'], ['Machine/n']],
    },
    {
      name: 'are an ownership cycle as a whole',
      objects: [
        found('Cluster', 'c'),
        found('Odd', 'x', { owners: ['Odd/y', 'Cluster/c'] }),
        found('Odd', 'y', { owners: ['Odd/x'] }),
      ],
      then: [['Cluster/c'], ['Odd/x', 'Odd/y']],
    },
  ];
  it.each(rows)('$name', ({ objects, scope, then }) => {
    expect(levels(objects, scope)).toEqual(then);
  });

  it('do not include other objects, which are reported', () => {
    const { left } = buildMoveGraph([found('Cluster', 'c'), found('Stray', 's'), secret('other')], {
      namespace: 'default',
    });
    expect(left.map(({ object }) => object.metadata.uid)).toEqual(['Stray/s']);
  });
});

describe('the graph of a move', () => {
  const nodeOf = (objects: readonly FoundObject[], uid: string, scope: Partial<MoveScope> = {}) =>
    buildMoveGraph(objects, { namespace: 'default', ...scope })
      .levels.flat()
      .find((node) => node.uid === uid);

  it('treats dependents of a cluster-scoped object as global', () => {
    const objects = [
      found('Identity', 'i', { namespace: '', kindMoves: 'withDependents' }),
      secret('s', { owners: ['Identity/i'] }),
    ];
    expect([nodeOf(objects, 'Identity/i')?.isGlobal, nodeOf(objects, 'Secret/s')?.isGlobal]).toEqual([true, true]);
  });

  it('keeps a ClusterClass of another namespace and its templates, but moves the Cluster', () => {
    const objects = [
      found('ClusterClass', 'k', { namespace: 'classes' }),
      found('FooTemplate', 't', { namespace: 'classes', owners: ['ClusterClass/k'] }),
      found('Cluster', 'c', { spec: topology('k', 'classes') }),
    ];
    expect(['ClusterClass/k', 'FooTemplate/t', 'Cluster/c'].map((uid) => nodeOf(objects, uid)?.stays)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('keeps a ClusterClass that a Cluster outside of the move uses', () => {
    const elsewhere = found('Cluster', 'd', { namespace: 'other', spec: topology('k', 'default') }).object;
    const objects = [found('ClusterClass', 'k'), found('Cluster', 'c', { spec: topology('k') })];
    expect(nodeOf(objects, 'ClusterClass/k', { otherClusters: [elsewhere] })?.stays).toBe(true);
    expect(nodeOf(objects, 'ClusterClass/k')?.stays).toBe(false);
  });

  it('marks objects with the block-move annotation', () => {
    const objects = [found('Cluster', 'c', { annotations: { 'clusterctl.cluster.x-k8s.io/block-move': 'true' } })];
    expect(nodeOf(objects, 'Cluster/c')?.isBlocked).toBe(true);
  });
});
