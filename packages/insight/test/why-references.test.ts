import { checkSituations } from './check-situations.js';
import { clusterManifests, clusterOn, idleDefinition, ref } from './manifests.js';
import { available, isWorker, one, type Situation } from './situations.js';

const name = 'demo';
const infrastructure = 'infrastructure.cluster.x-k8s.io';

const situations: readonly Situation[] = [
  {
    name: 'the infrastructure that a Cluster names is not there',
    async make(world, namespace) {
      await world.create(...clusterManifests({ name, namespace, without: ['DevCluster/demo'] }));
      await world.pass(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ReferenceMissing',
    root: 'Cluster demo',
    message: /spec\.infrastructureRef names DevCluster .*\/demo, which does not exist/,
    next: /kubectl get devcluster -n situation-/,
  },
  {
    name: 'the control plane that a Cluster names is not there',
    async make(world, namespace) {
      await world.create(...clusterManifests({ name, namespace, without: ['KubeadmControlPlane/demo'] }));
      await world.pass(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ReferenceMissing',
    root: 'Cluster demo',
    message: /spec\.controlPlaneRef names KubeadmControlPlane/,
    next: /kubectl get kubeadmcontrolplane/,
  },
  {
    name: 'the kind of the infrastructure is not installed',
    async make(world, namespace) {
      await world.create(...clusterOn('CloudCluster', { name, namespace }));
      await world.pass(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'KindNotInstalled',
    root: 'Cluster demo',
    message: /the kind CloudCluster of infrastructure\.cluster\.x-k8s\.io is not installed/,
    next: /kubectl get crd cloudclusters\.infrastructure\.cluster\.x-k8s\.io/,
  },
  {
    name: 'the definition of the infrastructure names no contract',
    async make(world, namespace) {
      await world.create(idleDefinition('MistCluster', {}));
      await world.pass(5_000);
      await world.create(...clusterOn('MistCluster', { name, namespace }));
      await world.pass(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ContractMissing',
    root: 'CustomResourceDefinition mistclusters.infrastructure.cluster.x-k8s.io',
    message: /has no label cluster\.x-k8s\.io\/<contract>/,
    next: /kubectl get crd mistclusters/,
  },
  {
    name: 'the control plane names a machine template that is not there',
    async make(world, namespace) {
      await world.create(...clusterManifests({ name, namespace, without: ['DevMachineTemplate/demo'] }));
      await world.pass(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ReferenceMissing',
    root: 'KubeadmControlPlane demo',
    message: /spec\.machineTemplate\.spec\.infrastructureRef names DevMachineTemplate .*\/demo,/,
    next: /kubectl get devmachinetemplate/,
  },
  {
    name: 'workers name a machine template that is not there',
    async make(world, namespace) {
      await world.create(...clusterManifests({ name, namespace, without: ['DevMachineTemplate/demo-workers'] }));
      await world.pass(120_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ReferenceMissing',
    root: 'MachineDeployment demo-workers',
    message: /spec\.template\.spec\.infrastructureRef names DevMachineTemplate .*\/demo-workers,/,
    next: /kubectl get devmachinetemplate/,
  },
  {
    name: 'workers name a bootstrap template that is not there',
    async make(world, namespace) {
      await world.create(...clusterManifests({ name, namespace, without: ['KubeadmConfigTemplate/demo'] }));
      await world.pass(120_000);
      return ref('MachineDeployment', namespace, 'demo-workers');
    },
    cause: 'ReferenceMissing',
    root: 'MachineDeployment demo-workers',
    message: /spec\.template\.spec\.bootstrap\.configRef names KubeadmConfigTemplate/,
    next: /kubectl get kubeadmconfigtemplate/,
  },
  {
    name: 'a machine of its own names infrastructure that is not there',
    async make(world, namespace) {
      await available(world, { name, namespace, workers: 0 });
      await world.create(lonelyMachine(namespace));
      await world.pass(30_000);
      return ref('Machine', namespace, 'lonely');
    },
    cause: 'ReferenceMissing',
    root: 'Machine lonely',
    message: /spec\.infrastructureRef names DevMachine .*\/lonely/,
    next: /kubectl get devmachine/,
  },
  {
    name: 'a machine belongs to a Cluster that is not there',
    async make(world, namespace) {
      await world.create(lonelyMachine(namespace));
      await world.pass(30_000);
      return ref('Machine', namespace, 'lonely');
    },
    cause: 'ClusterMissing',
    root: 'Machine lonely',
    message: /belongs to the Cluster demo, which does not exist/,
    next: /kubectl get clusters -n situation-/,
  },
  {
    name: 'the infrastructure of a machine was deleted under it',
    async make(world, namespace) {
      await available(world, { name, namespace });
      const machine = await one(world, 'Machine', namespace, isWorker);
      const target = ref('DevMachine', namespace, machine.name);
      await world.remove(target);
      await world.merge(target, { metadata: { finalizers: null } });
      await world.pass(30_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'InfrastructureGone',
    root: /^Machine demo-workers-/,
    message: /DevMachine .* has been deleted under Machine/,
    next: /kubectl delete machine\/demo-workers-/,
  },
  {
    name: 'the controller of the infrastructure does not run',
    async make(world, namespace) {
      await world.create(idleDefinition('FogCluster', { 'cluster.x-k8s.io/v1beta2': 'v1' }));
      await world.pass(5_000);
      await world.create(...clusterOn('FogCluster', { name, namespace }), {
        apiVersion: `${infrastructure}/v1`,
        kind: 'FogCluster',
        metadata: { name, namespace },
      });
      await world.pass(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'NobodyActs',
    root: 'FogCluster demo',
    message: /no controller has looked at FogCluster/,
    next: /slipway doctor/,
  },
];

function lonelyMachine(namespace: string): object {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'lonely', namespace },
    spec: {
      clusterName: name,
      version: 'v1.35.0',
      bootstrap: { dataSecretName: 'none' },
      infrastructureRef: { apiGroup: infrastructure, kind: 'DevMachine', name: 'lonely' },
    },
  };
}

checkSituations('when something is missing', situations);
