import { createSimulatedSupervisor } from '@slipway/simulators';
import {
  createSupervisorControllers,
  createVSphereAdmission,
  platformKinds,
  supervisorKinds,
  vsphereConversions,
} from '@slipway/vsphere';
import { devTemplates, kvmTemplates, vsphereTemplates } from '@slipway/clusterctl';
import { expect, it } from 'vitest';
import {
  clusterNameOf,
  conditionOf,
  explain,
  type Explanation,
  type Observed,
  readObject,
  refText,
} from '@slipway/insight';
import { startSimulatedPlane, type SimulatedPlaneProvider } from '../../packages/insight/test/simulated-plane.js';
import { hostProvider } from './simulated-host.js';
import { kvmProvider } from './simulated-vms.js';
import { addOnsOf, rendered, vcenterTemplates } from './templates.js';

const namespace = 'team';

const values: Readonly<Record<string, string>> = {
  CLUSTER_NAME: 'demo',
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

interface Row {
  readonly files: readonly string[];
  readonly provider?: SimulatedPlaneProvider;
  /** The name of the Cluster in the files, if it is not a variable. */
  readonly name?: string;
}

const templates: readonly Row[] = [
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
  { files: ['../../../docs/samples/real-local-cluster.yaml'], provider: hostProvider, name: 'real' },
];

it('creates a cluster from every template that is shipped', () => {
  const shipped = Object.entries({ dev: devTemplates, kvm: kvmTemplates, vsphere: vsphereTemplates })
    .flatMap(([provider, files]) => Object.keys(files).map((file) => `${provider}/${file}`))
    .filter((file) => /\/cluster(-template|class-)/.test(file));
  const inVcenter = [...vcenterTemplates, 'clusterclass-template'].map((file) => `vsphere/${file}.yaml`);
  const created = [...templates.flatMap(({ files }) => files), ...inVcenter].filter((file) => !file.startsWith('.'));
  expect(created.toSorted()).toEqual(shipped.toSorted());
});

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

it.each(templates.map((row) => ({ ...row, title: row.files.join(', ') })))(
  'reports nothing as blocked in any state while a cluster is being created: $title',
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
      await plane.create(...addOnsOf(namespace), ...rendered(row.files, values).map(withReplicas));
      const blockedStates = new Set<string>();
      let verdict = '';
      let availableAtEnd: string | undefined;
      let samples = 0;
      for (let passed = 0; passed < limitMs && verdict !== 'well'; passed += stepMs) {
        if (isChanged) {
          isChanged = false;
          const cluster = await clusterOf(plane.client, row.name);
          const set = await readObject(plane.client, cluster, clusterNameOf(cluster));
          const explanation = explain(set, cluster, plane.clock.now());
          samples += 1;
          ({ verdict } = explanation);
          if (verdict === 'blocked') blockedStates.add(textOf(explanation));
          // A cluster that is not available yet must not be reported as healthy either.
          if (verdict === 'well') availableAtEnd = conditionOf(cluster, 'Available')?.status;
        }
        await plane.clock.advance(stepMs);
      }
      expect([...blockedStates]).toEqual([]);
      expect({ verdict, availableAtEnd }).toEqual({ verdict: 'well', availableAtEnd: 'True' });
      expect(samples).toBeGreaterThan(10);
    } finally {
      await plane.stop();
    }
  },
);

/** Sets the numbers of machines of a sample, which has no variables, to those of the templates. */
function withReplicas(object: object): object {
  const { kind = '', spec } = object as { kind?: string; spec?: { replicas?: number } };
  const replicas = new Map([
    ['KubeadmControlPlane', 3],
    ['MachineDeployment', 2],
  ]).get(kind);
  return spec?.replicas === undefined || replicas === undefined ? object : { ...object, spec: { ...spec, replicas } };
}

async function clusterOf(client: Parameters<typeof readObject>[0], name = 'demo'): Promise<Observed> {
  const clusters = await client.resourceFor({ group: 'cluster.x-k8s.io', kind: 'Cluster' });
  if (clusters === undefined) throw new Error('Clusters are not served');
  return client.get(clusters, { namespace, name });
}

function textOf({ root }: Explanation): string {
  return root === undefined ? '' : `${root.cause} ${refText(root.object)} ${root.reason}: ${root.message}`;
}
