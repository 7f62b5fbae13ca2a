import { ObjectSet, type Observed, timelineOf } from '@slipway/insight';
import { describe, expect, it } from 'vitest';
import { graphOf } from './graph.js';

function made(kind: string, name: string, parts: { cluster?: string; owner?: string; spec?: object } = {}): Observed {
  const { cluster, owner, spec = {} } = parts;
  return {
    apiVersion: kind.startsWith('Dev') ? 'infrastructure.cluster.x-k8s.io/v1beta2' : 'cluster.x-k8s.io/v1beta2',
    kind,
    metadata: {
      name,
      namespace: 'team',
      uid: `${kind} ${name}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(cluster !== undefined && { labels: { 'cluster.x-k8s.io/cluster-name': cluster } }),
      ...(owner !== undefined && { ownerReferences: [{ apiVersion: 'v1', kind: 'x', name: 'x', uid: owner }] }),
    },
    spec,
  } as unknown as Observed;
}

const infrastructure = (kind: string, name: string): object => ({
  apiGroup: 'infrastructure.cluster.x-k8s.io',
  kind,
  name,
});

/** The objects of two clusters in one namespace; templates have no label of their cluster. */
function cluster(name: string): readonly Observed[] {
  return [
    made('Cluster', name, { spec: { infrastructureRef: infrastructure('DevCluster', name) } }),
    made('DevCluster', name, { owner: `Cluster ${name}` }),
    made('MachineDeployment', `${name}-workers`, {
      cluster: name,
      spec: { template: { spec: { infrastructureRef: infrastructure('DevMachineTemplate', name) } } },
    }),
    made('DevMachineTemplate', name),
  ];
}

const set = new ObjectSet({ objects: [...cluster('other'), ...cluster('demo'), made('DevMachineTemplate', 'unused')] });
const [demo] = set.ofKind('Cluster').filter(({ metadata }) => metadata.name === 'demo');

describe('a cluster beside another one in its namespace', () => {
  it('has only its own objects in its graph', () => {
    const { nodes } = graphOf(set, demo as Observed);
    expect(Object.values(nodes).map(({ ref }) => `${ref.kind} ${ref.name}`)).toEqual([
      'Cluster demo',
      'DevCluster demo',
      'MachineDeployment demo-workers',
      'DevMachineTemplate demo',
    ]);
  });

  it('has only the changes of its own objects in its timeline', () => {
    const record = (name: string): object => ({
      time: Date.parse('2026-01-01T00:00:01Z'),
      controller: 'test',
      verb: 'create',
      object: { group: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachineTemplate', namespace: 'team', name },
      reason: 'Created',
      message: 'Created',
      fields: [],
      result: 'changed',
    });
    const { changes } = timelineOf(set, demo as Observed, [], [record('other'), record('demo')] as never);
    expect(changes.map(({ object }) => object.name)).toEqual(['demo']);
  });
});
