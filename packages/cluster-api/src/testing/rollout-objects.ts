import type { MachineDeployment } from '../api/index.js';
import { labels } from '../api/index.js';

type Rollout = NonNullable<MachineDeployment['spec']['rollout']>;
type RollingUpdate = NonNullable<NonNullable<Rollout['strategy']>['rollingUpdate']>;

export interface DeploymentOptions {
  readonly replicas: number;
  readonly type?: 'RollingUpdate' | 'OnDelete';
  readonly rollingUpdate?: RollingUpdate;
  readonly maxInFlight?: number | string;
}

/** A MachineDeployment `md` of cluster `c`, after defaulting. */
export function machineDeploymentFixture(options: DeploymentOptions): MachineDeployment {
  const { replicas, type = 'RollingUpdate', rollingUpdate = { maxSurge: 1, maxUnavailable: 0 }, maxInFlight } = options;
  const selected = { [labels.clusterName]: 'c', [labels.deploymentName]: 'md' };
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDeployment',
    metadata: {
      name: 'md',
      namespace: 'default',
      uid: 'md-uid',
      generation: 1,
      creationTimestamp: '2025-01-01T00:00:00Z',
    },
    spec: {
      clusterName: 'c',
      replicas,
      rollout: { strategy: type === 'OnDelete' ? { type } : { type, rollingUpdate } },
      ...(maxInFlight === undefined ? {} : { remediation: { maxInFlight } }),
      selector: { matchLabels: { ...selected } },
      template: {
        metadata: { labels: { ...selected } },
        spec: {
          clusterName: 'c',
          version: 'v1.35.0',
          bootstrap: {
            configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfigTemplate', name: 'bootstrap' },
          },
          infrastructureRef: {
            apiGroup: 'infrastructure.cluster.x-k8s.io',
            kind: 'DevMachineTemplate',
            name: 'infrastructure',
          },
        },
      },
    },
  };
}
