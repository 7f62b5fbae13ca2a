import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Area, type Diagnosis, examine, type Facts, type FactsOptions, readFacts } from '../src/index.js';
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
    expect(well).toHaveLength(9);
  });

  it('sees certificates that are about to expire, and those that have', async () => {
    const now = world.clock.now();
    await available(world, { name: 'demo', namespace: 'old', workers: 0 });
    const inElevenMonths = of(examine(await facts('old', { nowMs: now + 350 * dayMs })).diagnoses, 'certificates');
    expect(inElevenMonths).toContainEqual(
      expect.stringMatching(/^warning Secret demo-kubeconfig: the client certificate of the kubeconfig expires in/),
    );
    const inElevenYears = of(examine(await facts('old', { nowMs: now + 11 * 365 * dayMs })).diagnoses, 'certificates');
    expect(inElevenYears).toContainEqual(
      expect.stringMatching(/^error Secret demo-ca: the certificate authority expired/),
    );
  });

  it('sees its own certificate, old servers and missing permissions', async () => {
    const nowMs = world.clock.now();
    const seen = await facts('well', { serverVersion: 'v1.20.1', ownCertificateNotAfterMs: nowMs + dayMs });
    const { diagnoses } = examine({ ...seen, refused: ['list secrets'] });
    expect(of(diagnoses, 'versions')).toEqual([expect.stringContaining('runs Kubernetes v1.20.1')]);
    expect(of(diagnoses, 'credentials')).toEqual([
      expect.stringContaining('may not list secrets'),
      expect.stringContaining('the client certificate of the kubeconfig expires in 24h'),
    ]);
  });

  it('sees what nobody looks after', async () => {
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
      'info Secret gone-ca: it belongs to the Cluster gone, which does not exist',
      'warning DevMachine left: it has no owner: no Machine wants it',
      'warning Machine lonely: it belongs to the Cluster gone, which does not exist',
    ]);
  });

  it('sees deletions that do not end, clusters that are paused or ill, and etcd in even numbers', async () => {
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
      expect.stringMatching(/DevCluster demo: it is being deleted since 20m/),
    ]);
    expect(of(diagnoses, 'clusters')).toEqual([
      'warning Cluster demo: it is not available (NotAvailable)',
      expect.stringMatching(/^info Cluster demo: it is paused since 20m/),
    ]);
    expect(of(diagnoses, 'etcd')).toEqual([expect.stringContaining('one member')]);
  });

  it('sees definitions without a contract, and what needs the internet', async () => {
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
        'CustomResourceDefinition hazeclusters.infrastructure.cluster.x-k8s.io: it names no contract',
      ),
      'error Deployment capi-controller-manager: the controller of the provider does not run',
    ]);
    expect(of(diagnoses, 'air gap')).toEqual([
      expect.stringMatching(/^error Deployment .* pulled from registry.k8s.io/),
    ]);
  });
});
