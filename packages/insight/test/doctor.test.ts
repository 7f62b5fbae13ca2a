import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Diagnosis, examine, readFacts } from '../src/index.js';
import type { Area, Facts, FactsOptions } from '../src/doctor/index.js';
import { clusterManifests, idleDefinition, ref } from './manifests.js';
import { available, untilCondition } from './situations.js';
import { startSimulatedPlane, type SimulatedPlane } from './simulated-plane.js';

const dayMs = 86_400_000;
const metrics = 'apiserver_storage_size_bytes 1e+06\nslipway_storage_available_bytes 1e+12\n';
let plane: SimulatedPlane;

beforeAll(async () => {
  plane = await startSimulatedPlane();
});
afterAll(() => plane?.stop());

async function facts(namespace: string, more: Partial<FactsOptions> = {}): Promise<Facts> {
  return readFacts(plane.client, { nowMs: plane.clock.now(), namespace, serverVersion: 'v1.36.3', metrics, ...more });
}

function of(found: readonly Diagnosis[], area: Area): readonly string[] {
  return found
    .filter((diagnosis) => diagnosis.area === area)
    .map(({ severity, what, where }) => `${severity} ${where?.kind ?? ''} ${where?.name ?? ''}: ${what}`);
}

describe('examine', () => {
  it('reports no problem of a healthy cluster', async () => {
    await available(plane, { name: 'demo', namespace: 'well', controlPlanes: 3 });
    await untilCondition(plane, ref('KubeadmControlPlane', 'well', 'demo'), 'ScalingUp', 'False');
    await plane.advance(30_000);
    const { diagnoses, well } = examine(await facts('well'));
    expect(diagnoses).toEqual([]);
    expect(well).toHaveLength(12);
  });

  it('reports certificates that have expired or will soon', async () => {
    const now = plane.clock.now();
    await available(plane, { name: 'demo', namespace: 'old', workers: 0 });
    const inElevenMonths = of(examine(await facts('old', { nowMs: now + 350 * dayMs })).diagnoses, 'certificates');
    expect(inElevenMonths).toContainEqual(
      expect.stringMatching(/^warning Secret demo-kubeconfig: the client certificate in the kubeconfig expires in/),
    );
    const inElevenYears = of(examine(await facts('old', { nowMs: now + 11 * 365 * dayMs })).diagnoses, 'certificates');
    expect(inElevenYears).toContainEqual(expect.stringMatching(/^error Secret demo-ca: the CA certificate expired/));
  });

  it('reports the expiration of the client certificate, unsupported servers and missing permissions', async () => {
    const nowMs = plane.clock.now();
    const seen = await facts('well', { serverVersion: 'v1.20.1', ownCertificateNotAfterMs: nowMs + dayMs });
    const { diagnoses } = examine({ ...seen, refused: ['list secrets'] });
    expect(of(diagnoses, 'versions')).toEqual([expect.stringContaining('runs Kubernetes v1.20.1')]);
    expect(of(diagnoses, 'credentials')).toEqual([
      expect.stringContaining('cannot list secrets'),
      expect.stringContaining('the client certificate in the kubeconfig expires in 24h'),
    ]);
  });

  it('reports objects without a Cluster, owner or Machine', async () => {
    const namespace = 'orphans';
    await plane.create(
      {
        apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
        kind: 'DevMachine',
        metadata: { name: 'left', namespace },
        spec: { backend: { inMemory: {} } },
      },
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'gone-ca', namespace, labels: { 'cluster.x-k8s.io/cluster-name': 'gone' } },
      },
      {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'Machine',
        metadata: { name: 'lonely', namespace },
        spec: {
          clusterName: 'gone',
          bootstrap: { dataSecretName: 'x' },
          infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachine', name: 'other' },
        },
      },
    );
    expect(of(examine(await facts(namespace)).diagnoses, 'orphans').toSorted()).toEqual([
      'info Secret gone-ca: the object belongs to Cluster gone, which does not exist',
      'warning DevMachine left: the object has no owner and no Machine references it',
      'warning Machine lonely: the object belongs to Cluster gone, which does not exist',
    ]);
  });

  it('reports stuck deletions, paused and unavailable clusters, and etcd without redundancy', async () => {
    const namespace = 'stuck';
    await plane.create(...clusterManifests({ name: 'demo', namespace, startup: { vm: '1h' } }));
    const cluster = ref('Cluster', namespace, 'demo');
    await plane.advance(10_000);
    await plane.merge(cluster, { spec: { paused: true } });
    await plane.advance(5_000);
    await plane.remove(ref('DevCluster', namespace, 'demo'));
    await plane.advance(20 * 60_000);
    const { diagnoses } = examine(await facts(namespace));
    expect(of(diagnoses, 'deletions')).toEqual([
      expect.stringMatching(/DevCluster demo: the deletion has been running for 20m/),
    ]);
    expect(of(diagnoses, 'clusters')).toEqual([
      'warning Cluster demo: the Cluster is not available (NotAvailable)',
      expect.stringMatching(/^info Cluster demo: the Cluster has been paused for 20m/),
    ]);
    expect(of(diagnoses, 'etcd')).toEqual([expect.stringContaining('a single member')]);
  });

  it('reports CRDs without a contract label, stopped providers and images from public registries', async () => {
    await plane.create(idleDefinition('HazeCluster', {}));
    await plane.advance(5_000);
    const seen = await facts('well', { airGapped: true });
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'capi-controller-manager', namespace: 'capi-system' },
      spec: { template: { spec: { containers: [{ image: 'registry.k8s.io/cluster-api/controller:v1.14.2' }] } } },
      status: { availableReplicas: 0 },
    };
    const { diagnoses } = examine({ ...seen, deployments: [deployment as never] });
    expect(of(diagnoses, 'providers')).toEqual([
      expect.stringContaining(
        'CustomResourceDefinition hazeclusters.infrastructure.cluster.x-k8s.io: the CustomResourceDefinition has no label',
      ),
      'error Deployment capi-controller-manager: the provider controller is not running',
    ]);
    expect(of(diagnoses, 'air gap')).toEqual([
      expect.stringMatching(/^error Deployment .* pulls images from registry.k8s.io/),
    ]);
  });
});
