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
import { startSimulatedPlane, type SimulatedPlaneProvider } from '../../packages/insight/test/simulated-plane.js';

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

/** Returns the objects of templates, in their order, with variables substituted. */
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

/** Sets the namespace of the test and the labels that its ClusterResourceSet selects. */
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

const supervisor: SimulatedPlaneProvider = {
  kinds: [...supervisorKinds, ...platformKinds],
  conversions: vsphereConversions,
  admissions: createVSphereAdmission(),
  sets: ({ guests }) => [
    createSimulatedSupervisor({ guests, powerOnMs: 5_000, offers: true }),
    createSupervisorControllers({ networkProvider: 'VSphereDistributed', vmOperatorVersion: 'v1alpha5' }),
  ],
};

const templates: readonly { readonly files: readonly string[]; readonly provider?: SimulatedPlaneProvider }[] = [
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
  'reports nothing as blocked in any state while a cluster is being created: $files',
  { timeout: 240_000 },
  async (row) => {
    const plane = await startSimulatedPlane([], row.provider === undefined ? {} : { provider: row.provider });
    let isChanged = true;
    plane.feed.subscribe(() => {
      isChanged = true;
    });
    try {
      await plane.create(...addOns, ...rendered(row.files));
      const blockedStates = new Set<string>();
      let verdict = '';
      let samples = 0;
      for (let passed = 0; passed < limitMs && verdict !== 'well'; passed += stepMs) {
        if (isChanged) {
          isChanged = false;
          const explanation = await explained(plane.client, plane.clock.now());
          samples += 1;
          ({ verdict } = explanation);
          if (verdict === 'blocked') blockedStates.add(textOf(explanation));
        }
        await plane.clock.advance(stepMs);
      }
      expect([...blockedStates]).toEqual([]);
      expect(verdict).toBe('well');
      expect(samples).toBeGreaterThan(10);
    } finally {
      await plane.stop();
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
