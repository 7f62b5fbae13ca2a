import type { KubeObject } from '@slipway/kube';

const namespace = 'default';
const version = 'v1.35.0';
const infrastructure = 'infrastructure.cluster.x-k8s.io';

/** A cluster of one control-plane and two worker machines in memory: docs/samples/quick-start.yaml under any name. */
// oxlint-disable-next-line max-lines-per-function -- it is one manifest
export function quickStartObjects(name: string): readonly KubeObject[] {
  const workers = `${name}-workers`;
  const machineTemplate = { apiGroup: infrastructure, kind: 'DevMachineTemplate', name };
  const inMemory = { backend: { inMemory: {} } };
  const cloudConfig = { format: 'cloud-config' };
  return [
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name, namespace },
      spec: {
        clusterNetwork: {
          pods: { cidrBlocks: ['192.168.0.0/16'] },
          services: { cidrBlocks: ['10.96.0.0/12'] },
          serviceDomain: 'cluster.local',
        },
        controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name },
        infrastructureRef: { apiGroup: infrastructure, kind: 'DevCluster', name },
      },
    },
    {
      apiVersion: `${infrastructure}/v1beta2`,
      kind: 'DevCluster',
      metadata: { name, namespace },
      spec: inMemory,
    },
    {
      apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
      kind: 'KubeadmControlPlane',
      metadata: { name, namespace },
      spec: {
        replicas: 1,
        version,
        machineTemplate: { spec: { infrastructureRef: machineTemplate } },
        kubeadmConfigSpec: cloudConfig,
      },
    },
    {
      apiVersion: `${infrastructure}/v1beta2`,
      kind: 'DevMachineTemplate',
      metadata: { name, namespace },
      spec: { template: { spec: inMemory } },
    },
    {
      apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
      kind: 'KubeadmConfigTemplate',
      metadata: { name, namespace },
      spec: { template: { spec: cloudConfig } },
    },
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineDeployment',
      metadata: { name: workers, namespace },
      spec: {
        clusterName: name,
        replicas: 2,
        selector: { matchLabels: {} },
        template: {
          spec: {
            clusterName: name,
            version,
            bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfigTemplate', name } },
            infrastructureRef: machineTemplate,
          },
        },
      },
    },
  ];
}
