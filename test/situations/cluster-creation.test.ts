import { createSimulatedSupervisor } from '@slipway/simulators';
import {
  createSupervisorControllers,
  createVSphereAdmission,
  platformKinds,
  supervisorKinds,
  vsphereConversions,
} from '@slipway/vsphere';
import { expect, it } from 'vitest';
import { clusterNameOf, explain, type Explanation, readObject, refText } from '@slipway/insight';
import { startSimulatedPlane, type SimulatedPlaneProvider } from '../../packages/insight/test/simulated-plane.js';
import { kvmProvider } from './simulated-vms.js';
import { addOnsOf, rendered } from './templates.js';

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
  SSH_AUTHORIZED_KEY: 'ssh-ed25519 AAAA',
  CONTROL_PLANE_ENDPOINT_HOST: '10.9.0.1',
  CONTROL_PLANE_ENDPOINT_IP: '10.9.0.1',
  KVM_IMAGE_URL: 'https://images.example.com/ubuntu.qcow2',
  KVM_IMAGE_CHECKSUM: `sha256:${'a'.repeat(64)}`,
  CALICO_VERSION: 'v3.31.0',
};

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
  { files: ['kvm/cluster-template.yaml'], provider: kvmProvider },
  { files: ['kvm/cluster-template-apps.yaml'], provider: kvmProvider },
  { files: ['kvm/cluster-template-flatcar.yaml'], provider: kvmProvider },
  { files: ['kvm/cluster-template-kube-vip.yaml'], provider: kvmProvider },
  { files: ['kvm/cluster-template-local.yaml'], provider: kvmProvider },
  { files: ['kvm/clusterclass-kvm.yaml', 'kvm/cluster-template-clusterclass.yaml'], provider: kvmProvider },
];

/** The kind of a program that installs add-ons, to which the flavor `apps` of KVM refers. */
const appDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'apps.application.giantswarm.io' },
  spec: {
    group: 'application.giantswarm.io',
    scope: 'Namespaced',
    names: { kind: 'App', plural: 'apps', singular: 'app', listKind: 'AppList' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

const stepMs = 20;
const limitMs = 15 * 60_000;

it.each(templates)(
  'reports nothing as blocked in any state while a cluster is being created: $files',
  { timeout: 240_000 },
  async (row) => {
    const plane = await startSimulatedPlane(
      ['KubeadmBootstrapFormatIgnition'],
      row.provider === undefined ? {} : { provider: row.provider },
    );
    let isChanged = true;
    plane.feed.subscribe(() => {
      isChanged = true;
    });
    try {
      await plane.create(appDefinition);
      await plane.advance(1_000);
      await plane.create(...addOnsOf(namespace), ...rendered(row.files, values));
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
