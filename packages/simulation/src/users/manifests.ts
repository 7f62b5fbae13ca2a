import type { JsonObject, KubeObject } from '@slipway/kube';
import { clusters, machineDeployments, machineHealthChecks } from '@slipway/cluster-api';
import { kubeadmConfigTemplates, kubeadmControlPlanes } from '@slipway/kubeadm';
import type { Provider } from '../providers/provider.js';
import type { Placed, DesiredCluster } from '../objects/desired-cluster.js';
import { namespace } from '../objects/names.js';

const bootstrap = 'bootstrap.cluster.x-k8s.io';
const core = 'cluster.x-k8s.io/v1beta2';

export function workersName(name: string): string {
  return `${name}-workers`;
}

/** Returns a reference to an object, for use in the spec of another object. */
export function referenceTo([{ group, kind }, { metadata }]: Placed): JsonObject {
  return { apiGroup: group, kind, name: metadata.name ?? '' };
}

/** Returns the objects of a cluster with a control plane, workers and health checks for both. */
export function clusterManifests(desired: DesiredCluster, provider: Provider): readonly Placed[] {
  const { name, version } = desired;
  const template = provider.machineTemplate(desired);
  const infrastructure = provider.cluster(name);
  const workers = workersName(name);
  const meta = { name, namespace };
  return [
    template,
    infrastructure,
    [
      kubeadmConfigTemplates,
      object(`${bootstrap}/v1beta2`, 'KubeadmConfigTemplate', meta, { template: { spec: { format: 'cloud-config' } } }),
    ],
    [
      kubeadmControlPlanes,
      object('controlplane.cluster.x-k8s.io/v1beta2', 'KubeadmControlPlane', meta, {
        replicas: desired.controlPlanes,
        version,
        machineTemplate: { spec: { infrastructureRef: referenceTo(template) } },
        kubeadmConfigSpec: { format: 'cloud-config' },
      }),
    ],
    [
      clusters,
      object(core, 'Cluster', meta, {
        clusterNetwork: { pods: { cidrBlocks: ['192.168.0.0/16'] }, services: { cidrBlocks: ['10.96.0.0/12'] } },
        controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name },
        infrastructureRef: referenceTo(infrastructure),
      }),
    ],
    [
      machineDeployments,
      object(
        core,
        'MachineDeployment',
        { name: workers, namespace },
        {
          clusterName: name,
          replicas: desired.workers,
          selector: { matchLabels: {} },
          template: {
            spec: {
              clusterName: name,
              version,
              bootstrap: { configRef: { apiGroup: bootstrap, kind: 'KubeadmConfigTemplate', name } },
              infrastructureRef: referenceTo(template),
            },
          },
        },
      ),
    ],
    healthCheck(`${name}-control-plane`, name, { 'cluster.x-k8s.io/control-plane': '' }),
    healthCheck(workers, name, { 'cluster.x-k8s.io/deployment-name': workers }),
  ];
}

/** Health check settings: a machine whose Node is not ready for five minutes is replaced. */
export const nodeChecks = {
  unhealthyNodeConditions: [
    { type: 'Ready', status: 'Unknown', timeoutSeconds: 300 },
    { type: 'Ready', status: 'False', timeoutSeconds: 300 },
  ],
};

function healthCheck(name: string, clusterName: string, matchLabels: Record<string, string>): Placed {
  return [
    machineHealthChecks,
    object(
      core,
      'MachineHealthCheck',
      { name, namespace },
      {
        clusterName,
        selector: { matchLabels },
        checks: nodeChecks,
      },
    ),
  ];
}

function object(apiVersion: string, kind: string, metadata: KubeObject['metadata'], spec: object): KubeObject {
  return { apiVersion, kind, metadata: { ...metadata }, spec };
}
