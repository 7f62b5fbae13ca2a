import { clusters, machineDeployments } from '@slipway/cluster-api';
import { kubeadmConfigTemplates, kubeadmControlPlanes } from '@slipway/kubeadm';
import type { Resource } from '@slipway/runtime';
import {
  distributedNetworks,
  supervisorClusters,
  supervisorMachineTemplates,
  virtualMachineClasses,
} from '../../src/index.js';
import { namespace, type ObjectEnvironment } from './object-environment.js';

const group = 'vmware.infrastructure.cluster.x-k8s.io';
const version = 'v1.35.0';

export interface ClusterOptions {
  readonly name: string;
  readonly controlPlanes?: number;
  readonly workers?: number;
  readonly machine?: object;
  readonly vsphereCluster?: object;
  readonly clusterNetwork?: object;
}

const reference = (apiGroup: string, kind: string, name: string): object => ({ apiGroup, kind, name });

/** Creates the objects that a Supervisor namespace offers: a VM class, an image and the default network. */
export async function offer(environment: ObjectEnvironment): Promise<void> {
  await environment.create(virtualMachineClasses, {
    apiVersion: 'vmoperator.vmware.com/v1alpha5',
    kind: 'VirtualMachineClass',
    metadata: { name: 'best-effort-small', namespace },
    spec: { hardware: { cpus: 2, memory: '4Gi' } },
  });
  await environment.create(distributedNetworks, {
    apiVersion: 'netoperator.vmware.com/v1alpha1',
    kind: 'Network',
    metadata: { name: 'primary', namespace, labels: { 'capv.vmware.com/is-default-network': 'true' } },
  });
}

/** Creates a cluster as a user of a Supervisor does. */
export async function createCluster(environment: ObjectEnvironment, options: ClusterOptions): Promise<void> {
  for (const [resource, object] of manifestsOf(options)) await environment.create(resource as Resource, object);
}

function manifestsOf(options: ClusterOptions): (readonly [object, object])[] {
  const { name, controlPlanes = 1, workers = 1, machine = {}, vsphereCluster, clusterNetwork } = options;
  const machineTemplate = {
    apiVersion: `${group}/v1beta2`,
    kind: 'VSphereMachineTemplate',
    metadata: { name, namespace },
    spec: {
      template: {
        spec: { imageName: 'ubuntu-2404', className: 'best-effort-small', storageClass: 'gold', ...machine },
      },
    },
  };
  return [
    [
      clusters,
      {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'Cluster',
        metadata: { name, namespace },
        spec: {
          clusterNetwork: clusterNetwork ?? { pods: { cidrBlocks: ['192.168.0.0/16'] } },
          infrastructureRef: reference(group, 'VSphereCluster', name),
          controlPlaneRef: reference('controlplane.cluster.x-k8s.io', 'KubeadmControlPlane', name),
        },
      },
    ],
    [
      supervisorClusters,
      {
        apiVersion: `${group}/v1beta2`,
        kind: 'VSphereCluster',
        metadata: { name, namespace },
        ...(vsphereCluster !== undefined && { spec: vsphereCluster }),
      },
    ],
    [supervisorMachineTemplates, machineTemplate],
    [
      kubeadmControlPlanes,
      {
        apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
        kind: 'KubeadmControlPlane',
        metadata: { name, namespace },
        spec: {
          version,
          replicas: controlPlanes,
          machineTemplate: { spec: { infrastructureRef: reference(group, 'VSphereMachineTemplate', name) } },
          kubeadmConfigSpec: { clusterConfiguration: { certificateValidityPeriodDays: 90 } },
        },
      },
    ],
    ...(workers === 0 ? [] : workerManifests(name, workers)),
  ];
}

function workerManifests(name: string, replicas: number): (readonly [object, object])[] {
  return [
    [
      kubeadmConfigTemplates,
      {
        apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
        kind: 'KubeadmConfigTemplate',
        metadata: { name, namespace },
        spec: { template: { spec: { format: 'cloud-config' } } },
      },
    ],
    [
      machineDeployments,
      {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'MachineDeployment',
        metadata: { name: `${name}-md-0`, namespace },
        spec: {
          clusterName: name,
          replicas,
          template: {
            spec: {
              clusterName: name,
              version,
              bootstrap: { configRef: reference('bootstrap.cluster.x-k8s.io', 'KubeadmConfigTemplate', name) },
              infrastructureRef: reference(group, 'VSphereMachineTemplate', name),
            },
          },
        },
      },
    ],
  ];
}
