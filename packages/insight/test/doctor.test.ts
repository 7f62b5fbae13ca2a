import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Diagnosis, examine, readFacts } from '../src/index.js';
import type { Area, Facts, FactsOptions } from '../src/doctor/index.js';
import { clusterManifests, idleDefinition, ref } from './manifests.js';
import { available, untilCondition } from './situations.js';
import { startWorld, type World } from './world.js';

const dayMs = 86_400_000;
let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

async function facts(namespace: string, more: Partial<FactsOptions> = {}): Promise<Facts> {
  return readFacts(world.client, { nowMs: world.clock.now(), namespace, serverVersion: 'v1.36.3', ...more });
}

function of(found: readonly Diagnosis[], area: Area): readonly string[] {
  return found
    .filter((diagnosis) => diagnosis.area === area)
    .map(({ severity, what, where }) => `${severity} ${where?.kind ?? ''} ${where?.name ?? ''}: ${what}`);
}

describe('doctor', () => {
  it('finds nothing wrong with a cluster that is well', async () => {
    await available(world, { name: 'demo', namespace: 'well', controlPlanes: 3 });
    await untilCondition(world, ref('KubeadmControlPlane', 'well', 'demo'), 'ScalingUp', 'False');
    await world.pass(30_000);
    const { diagnoses, well } = examine(await facts('well'));
    expect(diagnoses).toEqual([]);
    expect(well).toHaveLength(11);
  });

  it('sees certificates that are about to expire, and those that have', async () => {
    const now = world.clock.now();
    await available(world, { name: 'demo', namespace: 'old', workers: 0 });
    const inElevenMonths = of(examine(await facts('old', { nowMs: now + 350 * dayMs })).diagnoses, 'certificates');
    expect(inElevenMonths).toContainEqual(
      expect.stringMatching(/^warning Secret demo-kubeconfig: the client certificate in the kubeconfig expires in/),
    );
    const inElevenYears = of(examine(await facts('old', { nowMs: now + 11 * 365 * dayMs })).diagnoses, 'certificates');
    expect(inElevenYears).toContainEqual(expect.stringMatching(/^error Secret demo-ca: the CA certificate expired/));
  });

  it('sees its own certificate, old servers and missing permissions', async () => {
    const nowMs = world.clock.now();
    const seen = await facts('well', { serverVersion: 'v1.20.1', ownCertificateNotAfterMs: nowMs + dayMs });
    const { diagnoses } = examine({ ...seen, refused: ['list secrets'] });
    expect(of(diagnoses, 'versions')).toEqual([expect.stringContaining('runs Kubernetes v1.20.1')]);
    expect(of(diagnoses, 'credentials')).toEqual([
      expect.stringContaining('may not list secrets'),
      expect.stringContaining('the client certificate in the kubeconfig expires in 24h'),
    ]);
  });

  it('reports objects without a Cluster, owner or Machine', async () => {
    const namespace = 'orphans';
    await world.create(
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
    await world.create(...clusterManifests({ name: 'demo', namespace, startup: { vm: '1h' } }));
    const cluster = ref('Cluster', namespace, 'demo');
    await world.pass(10_000);
    await world.merge(cluster, { spec: { paused: true } });
    await world.pass(5_000);
    await world.remove(ref('DevCluster', namespace, 'demo'));
    await world.pass(20 * 60_000);
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
    await world.create(idleDefinition('HazeCluster', {}));
    await world.pass(5_000);
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
