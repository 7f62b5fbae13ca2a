import { createHash } from 'node:crypto';
import type { KubeObject } from '@slipway/kube';
import { kvmAnnotations, kvmLabels } from '../api/index.js';
import { adoptedDeploymentAnnotation } from '../pod/index.js';
import { type LegacyConfig, type LegacyMachine, legacyMachines } from './legacy-config.js';

export interface MigrationInput {
  readonly config: LegacyConfig;
  readonly kubernetesVersion: string;
  readonly imageUrl: string;
}

/** Manual steps, in order. Steps can be reverted until the first one with `canBeUndone: false`. */
interface MigrationStep {
  readonly title: string;
  readonly how: string;
  readonly canBeUndone: boolean;
}

export interface MigrationPlan {
  /** Objects in the order in which they are applied. Applying them restarts no machine. */
  readonly objects: readonly KubeObject[];
  readonly steps: readonly MigrationStep[];
  /** Settings that are not migrated, and the reason. */
  readonly notes: readonly string[];
}

const infrastructure = 'infrastructure.cluster.x-k8s.io';
/** Directory for etcd data on the nodes that run the pods. Each machine has its own subdirectory. */
const etcdFolder = '/var/lib/slipway/etcd';
const releaseLabel = 'release.giantswarm.io/version';

/** Converts a legacy cluster to Cluster API objects. Its machines keep running in their Deployments until they are replaced. */
export function planMigration(input: MigrationInput): MigrationPlan {
  const { config } = input;
  const { id } = config.spec.cluster;
  const machines = legacyMachines(config);
  const workers = machines.filter(({ role }) => role === 'worker');
  const groups = groupBySize(workers);
  return {
    objects: [
      cluster(input),
      kvmCluster(input),
      ...machineTemplates(input, groups),
      ...machines.flatMap((machine) => adoptedMachine(machine, id, input)),
      ...((config.spec.kvm?.portMappings ?? []).length > 0 ? [workerService(config)] : []),
    ],
    steps: stepsFor(id),
    notes: notesFor(config),
  };
}

const meta = (config: LegacyConfig, name: string): KubeObject['metadata'] => {
  const { id } = config.spec.cluster;
  const release = config.metadata.labels?.[releaseLabel];
  return {
    name,
    namespace: id,
    labels: { 'cluster.x-k8s.io/cluster-name': id, ...(release !== undefined && { [releaseLabel]: release }) },
  };
};

function cluster({ config }: MigrationInput): KubeObject {
  const { id, kubernetes, calico } = config.spec.cluster;
  const services = kubernetes?.api?.clusterIPRange;
  const pods = calico?.subnet === undefined ? undefined : `${calico.subnet}/${calico.cidr ?? 16}`;
  const reference = (apiGroup: string, kind: string): object => ({ apiGroup, kind, name: id });
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: meta(config, id),
    spec: {
      ...((pods !== undefined || services !== undefined) && {
        clusterNetwork: {
          ...(pods !== undefined && { pods: { cidrBlocks: [pods] } }),
          ...(services !== undefined && { services: { cidrBlocks: [services] } }),
        },
      }),
      controlPlaneEndpoint: endpointOf(config),
      infrastructureRef: reference(infrastructure, 'KVMCluster'),
    },
  } as KubeObject;
}

/** Returns the existing endpoint, which must not change because certificates and kubeconfigs contain it. */
function endpointOf({ spec }: LegacyConfig): { host: string; port: number } {
  const { domain = '', securePort = 443 } = spec.cluster.kubernetes?.api ?? {};
  return { host: domain, port: securePort };
}

function kvmCluster({ config }: MigrationInput): KubeObject {
  return {
    apiVersion: `${infrastructure}/v1beta2`,
    kind: 'KVMCluster',
    metadata: meta(config, config.spec.cluster.id),
    spec: {
      backend: 'pod',
      controlPlaneEndpoint: endpointOf(config),
      // Old and new etcd members reach each other through this Service while the control plane is migrated.
      controlPlaneExposure: { type: 'Service', exposeEtcd: true },
    },
  } as KubeObject;
}

interface SizeGroup {
  readonly name: string;
  readonly machines: readonly LegacyMachine[];
}

/** Groups workers by size. One MachineDeployment replaces each group. */
function groupBySize(workers: readonly LegacyMachine[]): SizeGroup[] {
  const groups = new Map<string, LegacyMachine[]>();
  for (const worker of workers) {
    const key = JSON.stringify(worker.size);
    groups.set(key, [...(groups.get(key) ?? []), worker]);
  }
  return [...groups.values()].map((machines, index) => ({ name: `worker-${index + 1}`, machines }));
}

function machineTemplates({ config, imageUrl }: MigrationInput, groups: readonly SizeGroup[]): KubeObject[] {
  const { id } = config.spec.cluster;
  const [master] = legacyMachines(config).filter(({ role }) => role === 'master');
  const template = (name: string, machine: LegacyMachine | undefined, etcd: object): KubeObject =>
    ({
      apiVersion: `${infrastructure}/v1beta2`,
      kind: 'KVMMachineTemplate',
      metadata: meta(config, `${id}-${name}`),
      spec: { template: { spec: { ...specOf(machine?.size ?? {}), ...etcd, image: { url: imageUrl } } } },
    }) as KubeObject;
  const isHostPath = config.spec.kvm?.k8sKVM?.storageType === 'hostPath';
  // A new etcd member must start with an empty data directory, not with that of the old member.
  const etcd = {
    etcd: isHostPath ? { storage: 'HostPath', hostPath: etcdFolder } : { storage: 'PersistentVolume' },
  };
  return [
    template('control-plane', master, etcd),
    ...groups.map(({ name, machines: [first] }) => template(name, first, {})),
  ];
}

function specOf({ cpus, memory, disk, dockerVolumeSizeGB, hostVolumes }: LegacyMachine['size']): object {
  const gigabytes = (value: number | string): string => (typeof value === 'number' ? `${value}Gi` : quantity(value));
  return {
    resources: {
      ...(cpus !== undefined && { cpu: String(cpus) }),
      ...(memory !== undefined && { memory: quantity(memory) }),
      ...(disk !== undefined && { disk: gigabytes(disk) }),
      ...(dockerVolumeSizeGB !== undefined && { dockerVolumeSize: `${dockerVolumeSizeGB}Gi` }),
    },
    ...(hostVolumes !== undefined &&
      hostVolumes.length > 0 && { hostVolumes: hostVolumes.map((each) => ({ ...each })) }),
  };
}

/** Converts a legacy size to a Kubernetes quantity. In legacy configurations `8GB`, `7.5G` and `8Gi` all are in GiB. */
export function quantity(text: string): string {
  const [, amount = '', unit = ''] = /^([\d.]+)\s*([KMGT]?)i?B?$/i.exec(text.trim()) ?? [];
  return amount === '' ? text : `${amount}${unit === '' ? '' : `${unit.toUpperCase()}i`}`;
}

/** Returns the Machine and KVMMachine of an existing node. */
function adoptedMachine(
  machine: LegacyMachine,
  cluster: string,
  { config, kubernetesVersion }: MigrationInput,
): KubeObject[] {
  const name = machine.deployment;
  const metadata = meta(config, name);
  const labels = {
    ...metadata.labels,
    ...(machine.role === 'master' && { 'cluster.x-k8s.io/control-plane': '' }),
    [kvmLabels.machineUuid]: uuidOf(cluster, machine),
  };
  const providerID = `kvm://${uuidOf(cluster, machine)}`;
  const reference = { apiGroup: infrastructure, kind: 'KVMMachine', name };
  const { index, role } = machine;
  const iscsi = index === undefined ? {} : { iscsi: { initiatorName: initiatorName(cluster, role, index) } };
  return [
    {
      apiVersion: `${infrastructure}/v1beta2`,
      kind: 'KVMMachine',
      metadata: { ...metadata, labels, annotations: { [adoptedDeploymentAnnotation]: machine.deployment } },
      spec: { providerID, backend: 'pod', ...specOf(machine.size), ...iscsi },
    } as KubeObject,
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { ...metadata, labels },
      spec: {
        clusterName: cluster,
        version: kubernetesVersion,
        providerID,
        // Placeholder for a required field: the node has already joined, so its bootstrap data is never read.
        bootstrap: { dataSecretName: `${cluster}-adopted` },
        infrastructureRef: reference,
      },
    } as KubeObject,
  ];
}

/** Returns a UUID that is derived from the node, so that the plan is reproducible. */
function uuidOf(cluster: string, { role, id }: LegacyMachine): string {
  const hex = createHash('sha256').update(`${cluster}/${role}/${id}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Returns the iSCSI initiator name in the naming scheme of the legacy operator, because the storage authorizes initiators by
 * name.
 */
function initiatorName(cluster: string, role: string, index: number): string {
  return `iqn.2016-04.com.coreos.iscsi:giantswarm-${cluster}-${role}-${index}`;
}

function workerService(config: LegacyConfig): KubeObject {
  const { id } = config.spec.cluster;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: meta(config, `${id}-worker`),
    spec: {
      type: 'NodePort',
      selector: { 'cluster.x-k8s.io/cluster-name': id, [`${infrastructure}/role`]: 'worker' },
      ports: (config.spec.kvm?.portMappings ?? []).map(({ name, nodePort, targetPort }) => ({
        name: name ?? `port-${targetPort}`,
        protocol: 'TCP',
        port: targetPort,
        targetPort,
        nodePort,
      })),
    },
  } as KubeObject;
}

function stepsFor(id: string): MigrationStep[] {
  const step = (title: string, how: string, canBeUndone = true): MigrationStep => ({ title, how, canBeUndone });
  return [
    step(
      'Check',
      'all nodes are Ready and have the same Kubernetes version, and there is capacity for one more machine of each size',
    ),
    step('Back up etcd', `run etcdctl snapshot save on the master of ${id}`),
    step('Pause the legacy operator', `annotate the KVMConfig ${id} with ${kvmAnnotations.legacyPaused}=true`),
    step(
      'Import the CAs',
      `Secrets ${id}-ca, ${id}-etcd, ${id}-sa and ${id}-proxy, with --pki: cert-operator has the certificates, Vault has the keys`,
    ),
    step(
      'Create the kubeadm objects',
      'kubeadm-config, kubelet-config, cluster-info and the kubeadm RBAC roles in the workload cluster',
    ),
    step(
      'Apply the objects',
      'Cluster, KVMCluster with the existing endpoint, and a Machine for each node; no machine restarts',
    ),
    step('Scale up the control plane', 'a KubeadmControlPlane joins the existing etcd cluster, up to three members'),
    step('Remove the old master', 'its etcd member, then its Machine; rollback is not possible after this step', false),
    step('Replace the workers', 'a MachineDeployment for each size; delete the adopted Machines one at a time', false),
    step(
      'Hand over the network',
      'install Calico as an App or with a ClusterResourceSet, at the installed version',
      false,
    ),
    step(
      'Delete the KVMConfig',
      `remove the finalizers of the KVMConfig ${id}, then delete it; never delete the namespace`,
      false,
    ),
  ];
}

function notesFor({ spec }: LegacyConfig): string[] {
  const notes = ['replacement machines run containerd instead of Docker and have new names'];
  const { flannel } = spec.kvm?.network ?? {};
  if (flannel?.vni !== undefined)
    notes.push(
      `network.flannel.vni ${flannel.vni} is not migrated: nodes of both networks must reach each other until the last old node is deleted`,
    );
  if (spec.kvm?.k8sKVM?.storageType === 'hostPath')
    notes.push('the data directory of the old etcd stays on its host: new members start with an empty one');
  return notes;
}
