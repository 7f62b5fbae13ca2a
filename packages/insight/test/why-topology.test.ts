import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { checkSituations } from './check-situations.js';
import { ref } from './manifests.js';
import { available, type Situation, untilCondition } from './situations.js';
import type { SimulatedPlane } from './simulated-plane.js';

const sample = readFileSync(new URL('../../../docs/samples/quick-start-topology.yaml', import.meta.url), 'utf8');
const name = 'quick-start';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Returns the objects of the sample in the given namespace. */
function topology(namespace: string, change: (object: Manifest) => Manifest | undefined = (one) => one): object[] {
  const text = sample.replaceAll('namespace: default', `namespace: ${namespace}`);
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest)
    .map(change)
    .filter((object) => object !== undefined);
}

async function upWithTopology(plane: SimulatedPlane, namespace: string): Promise<void> {
  await plane.create(...topology(namespace));
  await untilCondition(plane, ref('Cluster', namespace, name), 'Available', 'True');
}

function resourceSet(namespace: string, resources: readonly object[]): object {
  return {
    apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
    kind: 'ClusterResourceSet',
    metadata: { name: 'network', namespace },
    spec: { clusterSelector: { matchLabels: { network: 'yes' } }, resources, strategy: 'ApplyOnce' },
  };
}

async function addOnsFor(
  plane: SimulatedPlane,
  namespace: string,
  ...objects: readonly object[]
): Promise<ReturnType<typeof ref>> {
  const cluster = await available(plane, { name: 'demo', namespace, workers: 0 });
  await plane.merge(cluster, { metadata: { labels: { network: 'yes' } } });
  await plane.create(...objects);
  await untilCondition(plane, ref('ClusterResourceSet', namespace, 'network'), 'ResourcesApplied', 'False');
  return cluster;
}

function addressClaim(namespace: string, claim: string): object {
  return {
    apiVersion: 'ipam.cluster.x-k8s.io/v1beta2',
    kind: 'IPAddressClaim',
    metadata: { name: claim, namespace },
    spec: { poolRef: { apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: 'pool' } },
  };
}

const situations: readonly Situation[] = [
  {
    name: 'the ClusterClass of a topology does not exist',
    async make(plane, namespace) {
      await plane.create(...topology(namespace, (object) => (object.kind === 'ClusterClass' ? undefined : object)));
      await plane.advance(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ClassMissing',
    root: 'Cluster quick-start',
    message: /spec\.topology\.classRef references ClusterClass situation-\d+\/quick-start, which does not exist/,
    next: /kubectl get clusterclasses -A/,
  },
  {
    name: 'a template of the ClusterClass does not exist',
    async make(plane, namespace) {
      const isGone = ({ kind }: Manifest): boolean => kind === 'KubeadmConfigTemplate';
      await plane.create(...topology(namespace, (object) => (isGone(object) ? undefined : object)));
      await plane.advance(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ReferenceMissing',
    root: 'ClusterClass quick-start',
    message: /spec\.workers\.machineDeployments\[0\]\.bootstrap\.templateRef references KubeadmConfigTemplate/,
    next: /kubectl get kubeadmconfigtemplate/,
  },
  {
    name: 'a patch of the ClusterClass fails',
    async make(plane, namespace) {
      await plane.create(
        ...topology(namespace, (object) =>
          object.kind === 'ClusterClass' ? { ...object, spec: { ...object.spec, patches: brokenPatches } } : object,
        ),
      );
      await untilCondition(plane, ref('Cluster', namespace, name), 'TopologyReconciled', 'False', 'ReconcileFailed');
      return ref('Cluster', namespace, name);
    },
    cause: 'TopologyFailed',
    root: 'Cluster quick-start',
    reason: 'ReconcileFailed',
    message: /broken/,
    next: /kubectl get cluster\/quick-start/,
  },
  {
    name: 'an annotation defers the upgrade of workers',
    async make(plane, namespace) {
      await upWithTopology(plane, namespace);
      const cluster = ref('Cluster', namespace, name);
      const { spec } = (await plane.get(cluster)) as unknown as {
        spec: { topology: { workers: { machineDeployments: object[] } } };
      };
      const held = { metadata: { annotations: { 'topology.cluster.x-k8s.io/defer-upgrade': 'true' } } };
      const machineDeployments = spec.topology.workers.machineDeployments.map((one) => ({ ...one, ...held }));
      await plane.merge(cluster, { spec: { topology: { version: 'v1.36.0', workers: { machineDeployments } } } });
      await untilCondition(plane, cluster, 'TopologyReconciled', 'False', 'MachineDeploymentsUpgradeDeferred');
      return cluster;
    },
    cause: 'UpgradeHeld',
    root: 'Cluster quick-start',
    reason: 'MachineDeploymentsUpgradeDeferred',
    message: /deferred using defer-upgrade/,
    next: /grep -e topology\.cluster\.x-k8s\.io\/defer-upgrade/,
  },
  {
    name: 'a hook annotation blocks the upgrade',
    async make(plane, namespace) {
      await upWithTopology(plane, namespace);
      const cluster = ref('Cluster', namespace, name);
      const annotations = { 'before-upgrade.hook.cluster.cluster.x-k8s.io/change-board': 'true' };
      await plane.merge(cluster, { metadata: { annotations }, spec: { topology: { version: 'v1.36.0' } } });
      await untilCondition(plane, cluster, 'TopologyReconciled', 'False', 'ClusterUpgrading');
      await plane.advance(30_000);
      return cluster;
    },
    cause: 'LifecycleHookBlocks',
    root: 'Cluster quick-start',
    reason: 'ClusterUpgrading',
    message: /change-board/,
    next: /kubectl get cluster\/quick-start/,
  },
  {
    name: 'a ClusterResourceSet references a ConfigMap that does not exist',
    make: (plane, namespace) =>
      addOnsFor(plane, namespace, resourceSet(namespace, [{ kind: 'ConfigMap', name: 'calico' }])),
    cause: 'AddOnResourceMissing',
    root: 'ClusterResourceSet network',
    message: /spec\.resources\[0\] references ConfigMap situation-\d+\/calico, which does not exist/,
    next: /kubectl get configmap/,
  },
  {
    name: 'a ClusterResourceSet references a Secret of another type (subtle behaviour 25)',
    make: (plane, namespace) =>
      addOnsFor(
        plane,
        namespace,
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'calico', namespace }, stringData: { a: 'b' } },
        resourceSet(namespace, [{ kind: 'Secret', name: 'calico' }]),
      ),
    cause: 'AddOnSecretType',
    root: 'ClusterResourceSet network',
    reason: 'WrongSecretType',
    message: /Secret type of resource calico is not supported/,
    next: /kubectl get clusterresourceset\/network/,
  },
  {
    name: 'the manifest of a ClusterResourceSet cannot be applied',
    make: (plane, namespace) =>
      addOnsFor(
        plane,
        namespace,
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'calico', namespace },
          data: { 'a.yaml': 'apiVersion: calico.example.com/v1\nkind: Network\nmetadata:\n  name: default\n' },
        },
        resourceSet(namespace, [{ kind: 'ConfigMap', name: 'calico' }]),
      ),
    cause: 'AddOnNotApplied',
    root: 'ClusterResourceSet network',
    reason: 'NotApplied',
    message: /Network/,
    next: /kubectl get clusterresourceset\/network/,
  },
  {
    name: 'an IP address pool is exhausted',
    async make(plane, namespace) {
      await plane.create({
        apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2',
        kind: 'InClusterIPPool',
        metadata: { name: 'pool', namespace },
        spec: { addresses: ['10.0.0.10'], prefix: 24, gateway: '10.0.0.1' },
      });
      await plane.advance(5_000);
      await plane.create(addressClaim(namespace, 'first'));
      await untilCondition(plane, ref('IPAddressClaim', namespace, 'first'), 'Ready', 'True');
      await plane.create(addressClaim(namespace, 'second'));
      await untilCondition(plane, ref('IPAddressClaim', namespace, 'second'), 'Ready', 'False');
      return ref('IPAddressClaim', namespace, 'second');
    },
    cause: 'AddressesExhausted',
    root: 'IPAddressClaim second',
    reason: 'PoolExhausted',
    message: /./,
    next: /kubectl get inclusterippool\/pool -n situation-\d+ -o yaml/,
  },
  {
    name: 'an IP address pool does not exist',
    async make(plane, namespace) {
      await available(plane, { name: 'demo', namespace, workers: 0 });
      await plane.create(addressClaim(namespace, 'first'));
      await plane.advance(30_000);
      return ref('IPAddressClaim', namespace, 'first');
    },
    cause: 'AddressPoolNotReady',
    root: 'IPAddressClaim first',
    message: /spec\.poolRef references InClusterIPPool .*\/pool, which does not exist/,
    next: /kubectl get inclusterippool/,
  },
  {
    name: 'the infrastructure of a MachinePool does not exist',
    async make(plane, namespace) {
      const cluster = await available(plane, { name: 'demo', namespace, workers: 0 });
      const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachinePool', name: 'pool' };
      await plane.create({
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'MachinePool',
        metadata: { name: 'pool', namespace },
        spec: {
          clusterName: 'demo',
          replicas: 1,
          template: {
            spec: { clusterName: 'demo', version: 'v1.35.0', bootstrap: { dataSecretName: 'none' }, infrastructureRef },
          },
        },
      });
      await plane.advance(60_000);
      return cluster;
    },
    cause: 'ReferenceMissing',
    root: 'MachinePool pool',
    message: /spec\.template\.spec\.infrastructureRef references DevMachinePool/,
    next: /kubectl get devmachinepool/,
  },
];

const brokenPatches = [
  {
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
  },
];

checkSituations('why, for ClusterClasses, add-ons and IP addresses', situations, ['RuntimeSDK']);
