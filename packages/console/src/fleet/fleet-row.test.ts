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

function offering(...kubernetesVersions: readonly string[]): Frozen<ClusterClass> {
  const apiVersion = 'cluster.x-k8s.io/v1beta2';
  return {
    apiVersion,
    kind: 'ClusterClass',
    metadata,
    spec: { kubernetesVersions },
  } as unknown as Frozen<ClusterClass>;
}

describe('the version of a cluster', () => {
  it.each([
    { name: 'before anything runs', runs: undefined, offers: [], then: { running: '', upgrade: '' } },
    { name: 'that runs what is wanted', runs: 'v1.35.0', offers: ['v1.35.0'], then: { running: '', upgrade: '' } },
    { name: 'on its way', runs: 'v1.34.2', offers: ['v1.35.0'], then: { running: 'v1.34.2', upgrade: '' } },
    {
      name: 'with newer ones to choose from',
      runs: 'v1.35.0',
      offers: ['v1.35.10', 'v1.34.0', 'v1.35.9'],
      then: { running: '', upgrade: 'v1.35.10' },
    },
  ])('$name', ({ runs, offers, then }) => {
    const row = fleetRow({ cluster, controlPlane: controlPlane(runs), clusterClass: offering(...offers) });
    expect(row).toMatchObject({ version: 'v1.35.0', ...then });
  });
});
