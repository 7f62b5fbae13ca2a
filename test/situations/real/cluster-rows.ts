import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { clusterOn, ref } from '../../../packages/insight/test/manifests.js';
import { untilCondition } from '../../../packages/insight/test/situations.js';
import { available, clusterRef, create } from './objects.js';
import type { Place, RealSituation } from './shared-plane.js';

const sample = readFileSync(new URL('../../../docs/samples/quick-start-topology.yaml', import.meta.url), 'utf8');

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Returns the objects of the sample with a separate ClusterClass. */
function topology({ namespace, name }: Place, patches?: readonly object[]): object[] {
  const text = sample
    .replaceAll('namespace: default', `namespace: ${namespace}`)
    .replaceAll('quick-start', `${name}-class`);
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest)
    .map((object) => {
      if (object.kind === 'Cluster') return { ...object, metadata: { ...object.metadata, name } };
      const isPatched = object.kind === 'ClusterClass' && patches !== undefined;
      return isPatched ? { ...object, spec: { ...object.spec, patches } } : object;
    });
}

async function availableTopology(place: Place, patches?: readonly object[]): Promise<void> {
  await place.plane.create(...topology(place, patches));
  await untilCondition(place.plane, clusterRef(place), 'Available', 'True');
}

const brokenPatch = {
  name: 'broken',
  definitions: [
    {
      selector: {
        apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
        kind: 'KubeadmConfigTemplate',
        matchResources: { machineDeploymentClass: { names: ['workers'] } },
      },
      jsonPatches: [{ op: 'remove', path: '/spec/template/spec/nothing/there' }],
    },
  ],
};

/** Creates a ClusterResourceSet for the available clusters, with one resource that cannot be applied. */
async function addOn(places: readonly Place[], resource: { kind: string; more: object }): Promise<void> {
  const [place] = places;
  if (place === undefined) return;
  const { plane, namespace, name } = place;
  for (const one of places) await available(one, { workers: 0 });
  for (const one of places) await plane.merge(clusterRef(one), { metadata: { labels: { storage: name } } });
  const own = name === 'demo' ? 'storage' : `storage-${name}`;
  const metadata = { name: own, namespace };
  await plane.create(
    { apiVersion: 'v1', kind: resource.kind, metadata, ...resource.more },
    {
      apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
      kind: 'ClusterResourceSet',
      metadata,
      spec: {
        clusterSelector: { matchLabels: { storage: name } },
        resources: [{ kind: resource.kind, name: own }],
        strategy: 'ApplyOnce',
      },
    },
  );
  await untilCondition(plane, ref('ClusterResourceSet', namespace, own), 'ResourcesApplied', 'False');
  await plane.advance(10_000);
}

const unknownKind = {
  kind: 'ConfigMap',
  more: { data: { 'a.yaml': 'apiVersion: calico.example.com/v1\nkind: Network\nmetadata:\n  name: default\n' } },
};

/** References, pauses, ClusterClasses and add-ons. */
export const clusterRows: readonly RealSituation[] = [
  {
    row: 'the Cluster is paused',
    async make(place) {
      await available(place);
      await place.plane.merge(clusterRef(place), { spec: { paused: true } });
      await place.plane.advance(30_000);
    },
  },
  {
    row: 'the infrastructure of a Cluster does not exist',
    async make(place) {
      await create(place, { without: [`DevCluster/${place.name}`] });
      await place.plane.advance(60_000);
    },
  },
  {
    row: 'the provider of a referenced kind is not installed',
    async make({ plane, namespace, name }) {
      await plane.create(...clusterOn('FogCluster', { name, namespace }));
      await plane.advance(60_000);
    },
  },
  {
    row: 'a patch of the ClusterClass fails while machines start',
    async make(place) {
      await place.plane.create(...topology(place, [brokenPatch]));
      await untilCondition(place.plane, clusterRef(place), 'TopologyReconciled', 'False', 'ReconcileFailed');
    },
  },
  {
    row: 'a lifecycle hook blocks an upgrade',
    async make(place) {
      await availableTopology(place);
      const annotations = { 'before-upgrade.hook.cluster.cluster.x-k8s.io/change-board': 'true' };
      await place.plane.merge(clusterRef(place), {
        metadata: { annotations },
        spec: { topology: { version: 'v1.36.0' } },
      });
      await untilCondition(place.plane, clusterRef(place), 'TopologyReconciled', 'False', 'ClusterUpgrading');
      await place.plane.advance(30_000);
    },
  },
  {
    row: 'an annotation defers the upgrade of workers',
    async make(place) {
      await availableTopology(place);
      const annotations = { 'topology.cluster.x-k8s.io/defer-upgrade': 'true' };
      const machineDeployments = [{ class: 'workers', name: 'workers', replicas: 2, metadata: { annotations } }];
      await place.plane.merge(clusterRef(place), {
        spec: { topology: { version: 'v1.36.0', workers: { machineDeployments } } },
      });
      const reason = 'MachineDeploymentsUpgradeDeferred';
      await untilCondition(place.plane, clusterRef(place), 'TopologyReconciled', 'False', reason);
    },
  },
  {
    row: 'the manifest of an add-on is rejected by the workload cluster',
    async make(place) {
      await addOn([place], unknownKind);
    },
  },
  {
    row: 'a Secret of an add-on has another type',
    async make(place) {
      await addOn([place], { kind: 'Secret', more: { stringData: { a: 'b' } } });
    },
  },
  {
    row: 'an add-on fails on this cluster and on another one',
    async make(place) {
      await addOn([place, { ...place, name: `${place.name}-other` }], unknownKind);
    },
  },
];
