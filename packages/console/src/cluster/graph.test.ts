import { ObjectSet, type Observed, timelineOf } from '@slipway/insight';
import { describe, expect, it } from 'vitest';
import { graphOf } from './graph.js';

function newObject(
  kind: string,
  name: string,
  parts: { cluster?: string; owner?: string; spec?: object } = {},
): Observed {
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

/** Returns the objects of a cluster. Templates do not have the cluster name label. */
function cluster(name: string): readonly Observed[] {
  return [
    newObject('Cluster', name, { spec: { infrastructureRef: infrastructure('DevCluster', name) } }),
    newObject('DevCluster', name, { owner: `Cluster ${name}` }),
    newObject('MachineDeployment', `${name}-workers`, {
      cluster: name,
      spec: { template: { spec: { infrastructureRef: infrastructure('DevMachineTemplate', name) } } },
    }),
    newObject('DevMachineTemplate', name),
  ];
}

const set = new ObjectSet({
  objects: [...cluster('other'), ...cluster('demo'), newObject('DevMachineTemplate', 'unused')],
});
const [demo] = set.ofKind('Cluster').filter(({ metadata }) => metadata.name === 'demo');

describe('the graph of a cluster with another cluster in its namespace', () => {
  it('contains only objects of this cluster', () => {
    const { nodes } = graphOf(set, demo as Observed);
    expect(Object.values(nodes).map(({ ref }) => `${ref.kind} ${ref.name}`)).toEqual([
      'Cluster demo',
      'DevCluster demo',
      'MachineDeployment demo-workers',
      'DevMachineTemplate demo',
    ]);
  });

  it('shows only changes of objects of this cluster in the timeline', () => {
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
