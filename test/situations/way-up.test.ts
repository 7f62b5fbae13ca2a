import { readFileSync } from 'node:fs';
import { createSimulatedSupervisor } from '@slipway/simulators';
import {
  createSupervisorControllers,
  createVSphereAdmission,
  platformKinds,
  supervisorKinds,
  vsphereConversions,
} from '@slipway/vsphere';
import { parseAllDocuments } from 'yaml';
import { expect, it } from 'vitest';
import { clusterNameOf, explain, type Explanation, readObject, refText } from '@slipway/insight';
import { startWorld, type WorldProvider } from '../../packages/insight/test/world.js';

const namespace = 'team';
const name = 'demo';

const values: Readonly<Record<string, string>> = {
  CLUSTER_NAME: name,
  NAMESPACE: namespace,
  KUBERNETES_VERSION: 'v1.35.0',
  CONTROL_PLANE_MACHINE_COUNT: '3',
  WORKER_MACHINE_COUNT: '2',
  VSPHERE_IMAGE_NAME: 'ubuntu-2404',
  VSPHERE_MACHINE_CLASS_NAME: 'best-effort-small',
  VSPHERE_STORAGE_CLASS: 'gold',
  VSPHERE_SSH_AUTHORIZED_KEY: 'ssh-ed25519 AAAA',
};

/** The objects of templates, in their order, with variables substituted. */
function rendered(files: readonly string[]): object[] {
  return files.flatMap((file) => {
    const path = new URL(`../../packages/clusterctl/templates/${file}`, import.meta.url);
    const text = readFileSync(path, 'utf8').replaceAll(
      /\$\{(\w+)(?::?=([^}]*))?\}/g,
      (_all, key: string, given?: string) => values[key] ?? given ?? '',
    );
    return parseAllDocuments(text)
      .map((document) => document.toJS() as { metadata?: { labels?: object } } | null)
      .filter((object) => object !== null)
      .map((object) => placed(object as Manifest));
  });
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly labels?: object };
}

/** In the namespace of the test, and selected by its ClusterResourceSet. */
function placed(object: Manifest): object {
  const labels = { ...object.metadata.labels, ...(object.kind === 'Cluster' && { cni: 'calico' }) };
  return { ...object, metadata: { ...object.metadata, namespace, labels } };
}

const addOns = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'network', namespace },
    data: { 'network.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: network\n  namespace: kube-system\n' },
  },
  {
    apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
    kind: 'ClusterResourceSet',
    metadata: { name: 'network', namespace },
    spec: { clusterSelector: { matchLabels: { cni: 'calico' } }, resources: [{ kind: 'ConfigMap', name: 'network' }] },
  },
];

const supervisor: WorldProvider = {
  kinds: [...supervisorKinds, ...platformKinds],
  conversions: vsphereConversions,
  admissions: createVSphereAdmission(),
  sets: ({ guests }) => [
    createSimulatedSupervisor({ guests, powerOnMs: 5_000, offers: true }),
    createSupervisorControllers({ networkProvider: 'VSphereDistributed', vmOperatorVersion: 'v1alpha5' }),
  ],
};

const templates: readonly { readonly files: readonly string[]; readonly provider?: WorldProvider }[] = [
  { files: ['dev/cluster-template.yaml'] },
  { files: ['dev/clusterclass-quick-start.yaml', 'dev/cluster-template-topology.yaml'] },
  { files: ['vsphere/cluster-template-supervisor.yaml'], provider: supervisor },
  {
    files: ['vsphere/clusterclass-template-supervisor.yaml', 'vsphere/cluster-template-topology-supervisor.yaml'],
    provider: supervisor,
  },
];

const stepMs = 20;
const limitMs = 15 * 60_000;

it.each(templates)(
  'reports nothing as blocked in any state on the way up: $files',
  { timeout: 240_000 },
  async (row) => {
    const world = await startWorld([], row.provider === undefined ? {} : { provider: row.provider });
    let isChanged = true;
    world.feed.subscribe(() => {
      isChanged = true;
    });
    try {
      await world.create(...addOns, ...rendered(row.files));
      const alarms = new Set<string>();
      let verdict = '';
      let samples = 0;
      for (let passed = 0; passed < limitMs && verdict !== 'well'; passed += stepMs) {
        if (isChanged) {
          isChanged = false;
          const explanation = await explained(world.client, world.clock.now());
          samples += 1;
          ({ verdict } = explanation);
          if (verdict === 'blocked') alarms.add(textOf(explanation));
        }
        await world.clock.advance(stepMs);
      }
      expect([...alarms]).toEqual([]);
      expect(verdict).toBe('well');
      expect(samples).toBeGreaterThan(10);
    } finally {
      await world.stop();
    }
  },
);

async function explained(client: Parameters<typeof readObject>[0], nowMs: number): Promise<Explanation> {
  const clusters = await client.resourceFor({ group: 'cluster.x-k8s.io', kind: 'Cluster' });
  if (clusters === undefined) throw new Error('Clusters are not served');
  const object = await client.get(clusters, { namespace, name });
  return explain(await readObject(client, object, clusterNameOf(object)), object, nowMs);
}

function textOf({ root }: Explanation): string {
  return root === undefined ? '' : `${root.cause} ${refText(root.object)} ${root.reason}: ${root.message}`;
}
