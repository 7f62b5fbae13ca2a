import type { Machine } from '@slipway/cluster-api';
import type { KubeadmConfig, KubeadmControlPlane } from '../api/index.js';
import { controlPlaneAnnotations, controlPlaneMachineConditions } from '../api/index.js';
import type { ClusterView } from '../control-plane/control-plane.js';

export interface ControlPlaneFixtureOptions {
  readonly replicas?: number;
  readonly version?: string;
  readonly maxSurge?: number;
  readonly external?: boolean;
  readonly initialized?: boolean;
  readonly remediation?: KubeadmControlPlane['spec']['remediation'];
}

const externalEtcd = {
  etcd: { external: { endpoints: ['https://etcd:2379'], caFile: '/ca', certFile: '/crt', keyFile: '/key' } },
};

/** A KubeadmControlPlane `cp` of cluster `c` with existing certificates. */
export function controlPlaneFixture(options: ControlPlaneFixtureOptions = {}): KubeadmControlPlane {
  const { replicas = 1, version = 'v1.35.0', maxSurge = 1, initialized = true, external = false } = options;
  return {
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmControlPlane',
    metadata: { name: 'cp', namespace: 'default', uid: 'cp-uid', generation: 1 },
    spec: {
      replicas,
      version,
      kubeadmConfigSpec: external ? { clusterConfiguration: externalEtcd } : {},
      machineTemplate: {
        spec: {
          infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachineTemplate', name: 't' },
        },
      },
      rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge } } },
      ...(options.remediation && { remediation: options.remediation }),
    },
    status: {
      ...(initialized && { initialization: { controlPlaneInitialized: true } }),
      conditions: [
        {
          type: 'CertificatesAvailable',
          status: 'True',
          reason: 'Available',
          message: '',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    },
  };
}

export function clusterFixture(change: Partial<Pick<ClusterView, 'spec' | 'status'>> = {}): ClusterView {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name: 'c', namespace: 'default', uid: 'c-uid' },
    spec: { controlPlaneEndpoint: { host: '10.0.0.1', port: 6443 } },
    status: { initialization: { infrastructureProvisioned: true } },
    ...change,
  };
}

export interface ControlPlaneMachineOptions {
  readonly created?: string;
  readonly deleted?: string;
  readonly annotations?: Record<string, string>;
  readonly version?: string;
  readonly node?: string | null;
  readonly failureDomain?: string;
  /** Conditions that differ from those of a healthy machine. */
  readonly conditions?: Readonly<Record<string, 'True' | 'False' | 'Unknown' | readonly [string, string, string]>>;
}

const transition = '2026-01-01T00:00:00Z';

/** A healthy machine of control plane `cp`, with a Node of the same name. */
export function controlPlaneMachineFixture(name: string, options: ControlPlaneMachineOptions = {}): Machine {
  const { created = transition, deleted, node = name, version = 'v1.35.0', failureDomain } = options;
  const healthy = Object.fromEntries(
    Object.values(controlPlaneMachineConditions).map((type) => [type, 'True' as const]),
  );
  const conditions = Object.entries({ ...healthy, ...options.conditions }).map(([type, text]) => {
    const [status, reason, message] = typeof text === 'string' ? [text, 'Reason', ''] : text;
    return { type, status: status as 'True', reason, message, lastTransitionTime: transition };
  });
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      name,
      namespace: 'default',
      uid: `${name}-uid`,
      creationTimestamp: created,
      labels: { 'cluster.x-k8s.io/cluster-name': 'c', 'cluster.x-k8s.io/control-plane': '' },
      annotations: { [controlPlaneAnnotations.preTerminateCleanup]: '', ...options.annotations },
      ...(deleted === undefined ? {} : { deletionTimestamp: deleted }),
    },
    spec: {
      clusterName: 'c',
      version,
      ...(failureDomain === undefined ? {} : { failureDomain }),
      providerID: `dev://${name}`,
      bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name } },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachine', name },
    },
    status: { conditions, ...(node === null ? {} : { nodeRef: { name: node } }) },
  };
}

export function kubeadmConfigFixture(name: string, spec: KubeadmConfig['spec'] = {}): KubeadmConfig {
  return {
    apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmConfig',
    metadata: { name, namespace: 'default', uid: `${name}-config` },
    spec,
  };
}
