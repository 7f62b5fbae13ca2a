import { clusters, labels, machineDeployments, machines } from '@slipway/cluster-api';
import { kubeadmConfigTemplates, kubeadmControlPlanes } from '@slipway/kubeadm';
import { ownerReference, type Resource, secrets } from '@slipway/runtime';
import { haproxyLoadBalancers, vsphereClusters, vsphereMachines, vsphereMachineTemplates } from '@slipway/vsphere';
import type { ObjectEnvironment } from '../../packages/vsphere/test/support/object-environment.js';
import { createCredentials, pool, templateName, type VCenterEnvironment } from './vcenter-environment.js';

const group = 'infrastructure.cluster.x-k8s.io';
export const version = 'v1.35.0';
const reference = (apiGroup: string, kind: string, name: string): object => ({ apiGroup, kind, name });

export const machineSpec = {
  template: templateName,
  datacenter: 'DC0',
  datastore: 'LocalDS_0',
  resourcePool: pool,
  network: { devices: [{ networkName: 'DC0_DVPG0', dhcp4: true }] },
};

/** Creates a Cluster with its VSphereCluster, in the state in which Cluster API leaves them. */
export async function createCluster(
  environment: ObjectEnvironment & Pick<VCenterEnvironment, 'vcsim'>,
  name: string,
  spec: object = {},
): Promise<void> {
  const { namespace } = environment;
  await createCredentials(environment, name);
  const cluster = await environment.create(clusters, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name, namespace },
    spec: { infrastructureRef: reference(group, 'VSphereCluster', name) },
  });
  await environment.create(vsphereClusters, {
    apiVersion: `${group}/v1beta2`,
    kind: 'VSphereCluster',
    metadata: { name, namespace, labels: { [labels.clusterName]: name }, ownerReferences: [ownerReference(cluster)] },
    spec: { server: environment.vcsim.server, identityRef: { kind: 'Secret', name }, ...spec },
  });
}

/** Creates an HAProxy load balancer for the control plane of the cluster of the same name. */
export async function createLoadBalancer(
  environment: ObjectEnvironment,
  name: string,
  machine: object = {},
): Promise<void> {
  const { namespace } = environment;
  await environment.create(haproxyLoadBalancers, {
    apiVersion: `${group}/v1beta2`,
    kind: 'HAProxyLoadBalancer',
    metadata: { name, namespace, labels: { [labels.clusterName]: name } },
    spec: {
      virtualMachineConfiguration: { ...machineSpec, ...machine },
      user: { name: 'capv', authorizedKeys: ['ssh-ed25519 AAAA'] },
    },
  });
}

/** Sets the status that Cluster API sets once the infrastructure of a cluster is provisioned. */
export async function provisionCluster(
  environment: ObjectEnvironment & Pick<VCenterEnvironment, 'vcsim'>,
  name: string,
): Promise<void> {
  await environment.untilOne(vsphereClusters, name, (one) => one.status?.initialization?.provisioned);
  await environment.merge(
    clusters,
    name,
    { status: { initialization: { infrastructureProvisioned: true } } },
    'status',
  );
}

export interface MachineOptions {
  readonly cluster: string;
  readonly spec?: object;
  readonly machine?: object;
  readonly labels?: Record<string, string>;
  readonly bootstrap?: string;
}

/** Creates a Machine with bootstrap data and its VSphereMachine. */
export async function createMachine(
  environment: ObjectEnvironment & Pick<VCenterEnvironment, 'vcsim'>,
  name: string,
  options: MachineOptions,
): Promise<void> {
  const { namespace } = environment;
  const { cluster, spec = {}, machine = {}, bootstrap = '#cloud-config\nhostname: x\n' } = options;
  const own = { [labels.clusterName]: cluster, ...options.labels };
  await environment.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `${name}-bootstrap`, namespace },
    stringData: { value: bootstrap },
  });
  const owner = await environment.create(machines, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name, namespace, labels: own },
    spec: {
      clusterName: cluster,
      version,
      bootstrap: { dataSecretName: `${name}-bootstrap` },
      infrastructureRef: reference(group, 'VSphereMachine', name),
      ...machine,
    },
  });
  await environment.create(vsphereMachines, {
    apiVersion: `${group}/v1beta2`,
    kind: 'VSphereMachine',
    metadata: { name, namespace, labels: own, ownerReferences: [ownerReference(owner, { controller: true })] },
    spec: { ...machineSpec, ...spec },
  });
}

/** Creates all objects of a cluster, as a user writes them. */
export async function createWholeCluster(
  environment: ObjectEnvironment,
  options: {
    readonly server: string;
    readonly name: string;
    readonly controlPlanes?: number;
    readonly workers?: number;
    readonly machine?: object;
    /** The control plane endpoint. Undefined if a load balancer provides it. */
    readonly endpoint?: { readonly host: string; readonly port: number };
    /** Additional files of the control plane machines. */
    readonly files?: readonly object[];
  },
): Promise<void> {
  const { namespace } = environment;
  const { server, name, controlPlanes = 1, workers = 1, machine = {}, endpoint, files = [] } = options;
  await createCredentials(environment, name);
  const template = { spec: { ...machineSpec, server, ...machine } };
  const objects: (readonly [object, object])[] = [
    [
      clusters,
      {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'Cluster',
        metadata: { name, namespace },
        spec: {
          clusterNetwork: { pods: { cidrBlocks: ['192.168.0.0/16'] } },
          infrastructureRef: reference(group, 'VSphereCluster', name),
          controlPlaneRef: reference('controlplane.cluster.x-k8s.io', 'KubeadmControlPlane', name),
        },
      },
    ],
    [
      vsphereClusters,
      {
        apiVersion: `${group}/v1beta2`,
        kind: 'VSphereCluster',
        metadata: { name, namespace },
        spec: {
          server,
          identityRef: { kind: 'Secret', name },
          ...(endpoint && { controlPlaneEndpoint: endpoint }),
        },
      },
    ],
    [
      vsphereMachineTemplates,
      {
        apiVersion: `${group}/v1beta2`,
        kind: 'VSphereMachineTemplate',
        metadata: { name, namespace },
        spec: { template },
      },
    ],
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
          kubeadmConfigSpec: {
            clusterConfiguration: { certificateValidityPeriodDays: 90 },
            ...(files.length > 0 && { files }),
          },
        },
      },
    ],
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
          replicas: workers,
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
  for (const [resource, object] of objects) await environment.create(resource as Resource, object);
}
