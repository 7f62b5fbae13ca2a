import type { Cluster, ClusterClass } from '@slipway/cluster-api';
import type { Observed } from '@slipway/insight';
import type { Frozen } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { fleetRow } from './fleet-row.js';

const metadata = { namespace: 'default', name: 'demo' };
const cluster = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata,
  spec: { topology: { classRef: { name: 'quick' }, version: 'v1.35.0' } },
} as unknown as Frozen<Cluster>;

function controlPlane(version?: string): Observed {
  const apiVersion = 'controlplane.cluster.x-k8s.io/v1beta2';
  return { apiVersion, kind: 'KubeadmControlPlane', metadata, status: { version } } as unknown as Observed;
}

function clusterClass(...kubernetesVersions: readonly string[]): Frozen<ClusterClass> {
  const apiVersion = 'cluster.x-k8s.io/v1beta2';
  return {
    apiVersion,
    kind: 'ClusterClass',
    metadata,
    spec: { kubernetesVersions },
  } as unknown as Frozen<ClusterClass>;
}

describe('the version of a cluster in the fleet list', () => {
  it.each([
    {
      name: 'shows no running version before the control plane reports one',
      reported: undefined,
      supported: [],
      then: { running: '', upgrade: '' },
    },
    {
      name: 'shows no running version if it equals the desired one',
      reported: 'v1.35.0',
      supported: ['v1.35.0'],
      then: { running: '', upgrade: '' },
    },
    {
      name: 'shows the running version during an upgrade',
      reported: 'v1.34.2',
      supported: ['v1.35.0'],
      then: { running: 'v1.34.2', upgrade: '' },
    },
    {
      name: 'shows the newest version that the ClusterClass supports',
      reported: 'v1.35.0',
      supported: ['v1.35.10', 'v1.34.0', 'v1.35.9'],
      then: { running: '', upgrade: 'v1.35.10' },
    },
  ])('$name', ({ reported, supported, then }) => {
    const row = fleetRow({ cluster, controlPlane: controlPlane(reported), clusterClass: clusterClass(...supported) });
    expect(row).toMatchObject({ version: 'v1.35.0', ...then });
  });
});
