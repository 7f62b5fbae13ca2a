import { checkSituations } from './check-situations.js';
import { clusterManifests, clusterOn, idleDefinition, ref } from './manifests.js';
import { available, isWorker, firstOf, type Situation } from './situations.js';

const name = 'demo';
const infrastructure = 'infrastructure.cluster.x-k8s.io';

const situations: readonly Situation[] = [
  {
    name: 'the infrastructure of a Cluster does not exist',
    async make(plane, namespace) {
      await plane.create(...clusterManifests({ name, namespace, without: ['DevCluster/demo'] }));
      await plane.advance(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ReferenceMissing',
    root: 'Cluster demo',
    message: /spec\.infrastructureRef references DevCluster .*\/demo, which does not exist/,
    next: /kubectl get devcluster -n situation-/,
  },
  {
    name: 'the control plane of a Cluster does not exist',
    async make(plane, namespace) {
      await plane.create(...clusterManifests({ name, namespace, without: ['KubeadmControlPlane/demo'] }));
      await plane.advance(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ReferenceMissing',
    root: 'Cluster demo',
    message: /spec\.controlPlaneRef references KubeadmControlPlane/,
    next: /kubectl get kubeadmcontrolplane/,
  },
  {
    name: 'the kind of the infrastructure is not installed',
    async make(plane, namespace) {
      await plane.create(...clusterOn('CloudCluster', { name, namespace }));
      await plane.advance(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'KindNotInstalled',
    root: 'Cluster demo',
    message: /kind CloudCluster of API group infrastructure\.cluster\.x-k8s\.io is not installed/,
    next: /kubectl get crd cloudclusters\.infrastructure\.cluster\.x-k8s\.io/,
  },
  {
    name: 'the CRD of the infrastructure has no contract label',
    async make(plane, namespace) {
      await plane.create(idleDefinition('MistCluster', {}));
      await plane.advance(5_000);
      await plane.create(...clusterOn('MistCluster', { name, namespace }));
      await plane.advance(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ContractMissing',
    root: 'CustomResourceDefinition mistclusters.infrastructure.cluster.x-k8s.io',
    message: /has no label cluster\.x-k8s\.io\/<contract>/,
    next: /kubectl get crd mistclusters/,
  },
  {
    name: 'the machine template of the control plane does not exist',
    async make(plane, namespace) {
      await plane.create(...clusterManifests({ name, namespace, without: ['DevMachineTemplate/demo'] }));
      await plane.advance(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ReferenceMissing',
    root: 'KubeadmControlPlane demo',
    message: /spec\.machineTemplate\.spec\.infrastructureRef references DevMachineTemplate .*\/demo,/,
    next: /kubectl get devmachinetemplate/,
  },
  {
    name: 'the machine template of the workers does not exist',
    async make(plane, namespace) {
      await plane.create(...clusterManifests({ name, namespace, without: ['DevMachineTemplate/demo-workers'] }));
      await plane.advance(120_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'ReferenceMissing',
    root: 'MachineDeployment demo-workers',
    message: /spec\.template\.spec\.infrastructureRef references DevMachineTemplate .*\/demo-workers,/,
    next: /kubectl get devmachinetemplate/,
  },
  {
    name: 'the bootstrap template of the workers does not exist',
    async make(plane, namespace) {
      await plane.create(...clusterManifests({ name, namespace, without: ['KubeadmConfigTemplate/demo'] }));
      await plane.advance(120_000);
      return ref('MachineDeployment', namespace, 'demo-workers');
    },
    cause: 'ReferenceMissing',
    root: 'MachineDeployment demo-workers',
    message: /spec\.template\.spec\.bootstrap\.configRef references KubeadmConfigTemplate/,
    next: /kubectl get kubeadmconfigtemplate/,
  },
  {
    name: 'the infrastructure of a standalone Machine does not exist',
    async make(plane, namespace) {
      await available(plane, { name, namespace, workers: 0 });
      await plane.create(standaloneMachine(namespace));
      await plane.advance(30_000);
      return ref('Machine', namespace, 'lonely');
    },
    cause: 'ReferenceMissing',
    root: 'Machine lonely',
    message: /spec\.infrastructureRef references DevMachine .*\/lonely/,
    next: /kubectl get devmachine/,
  },
  {
    name: 'the Cluster of a Machine does not exist',
    async make(plane, namespace) {
      await plane.create(standaloneMachine(namespace));
      await plane.advance(30_000);
      return ref('Machine', namespace, 'lonely');
    },
    cause: 'ClusterMissing',
    root: 'Machine lonely',
    message: /belongs to Cluster demo, which does not exist/,
    next: /kubectl get clusters -n situation-/,
  },
  {
    name: 'the infrastructure of a Machine was deleted',
    async make(plane, namespace) {
      await available(plane, { name, namespace });
      const machine = await firstOf(plane, 'Machine', namespace, isWorker);
      const target = ref('DevMachine', namespace, machine.name);
      await plane.remove(target);
      await plane.merge(target, { metadata: { finalizers: null } });
      await plane.advance(30_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'InfrastructureGone',
    root: /^Machine demo-workers-/,
    message: /DevMachine .* has been deleted, but Machine .* still uses it/,
    next: /kubectl delete machine\/demo-workers-/,
  },
  {
    name: 'the controller of the infrastructure is not running',
    async make(plane, namespace) {
      await plane.create(idleDefinition('FogCluster', { 'cluster.x-k8s.io/v1beta2': 'v1' }));
      await plane.advance(5_000);
      await plane.create(...clusterOn('FogCluster', { name, namespace }), {
        apiVersion: `${infrastructure}/v1`,
        kind: 'FogCluster',
        metadata: { name, namespace },
      });
      await plane.advance(60_000);
      return ref('Cluster', namespace, name);
    },
    cause: 'NoControllerActs',
    root: 'FogCluster demo',
    message: /no controller has reconciled FogCluster/,
    next: /slipway doctor/,
  },
];

function standaloneMachine(namespace: string): object {
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

checkSituations('why, for missing objects', situations);
