import type { Frozen, KubeObject } from '@slipway/kube';
import { bytesOf, type KVMMachineTemplate, machineSizeOf } from '../api/index.js';

export type ExportTarget = 'vsphere' | 'metal3';

export interface ExportPlan {
  readonly object: KubeObject;
  /** What the new provider has no word for, or what only the user knows. */
  readonly notes: readonly string[];
}

type Spec = NonNullable<Frozen<KVMMachineTemplate>['spec']>['template']['spec'];

const gibibyte = 1024 ** 3;
const toFill = 'TO-FILL-IN';

/** The template of the same machines for another provider, and what of them cannot come along. */
export function exportTemplate(template: Frozen<KVMMachineTemplate>, target: ExportTarget): ExportPlan {
  const spec = template.spec?.template?.spec ?? {};
  const { namespace, name = '', labels } = template.metadata;
  const metadata = { name, ...(namespace !== undefined && { namespace }), ...(labels && { labels: { ...labels } }) };
  const { body, notes } = target === 'vsphere' ? vsphereMachine(spec) : metal3Machine(spec);
  const kind = target === 'vsphere' ? 'VSphereMachineTemplate' : 'Metal3MachineTemplate';
  const version = target === 'vsphere' ? 'v1beta2' : 'v1beta1';
  const object = {
    apiVersion: `infrastructure.cluster.x-k8s.io/${version}`,
    kind,
    metadata,
    spec: { template: { spec: body } },
  } as KubeObject;
  return { object, notes: [...notes, ...blockers(spec)] };
}

function vsphereMachine(spec: Spec): { body: object; notes: string[] } {
  const { cpus, memoryMiB, rootBytes } = machineSizeOf(spec);
  const image = spec?.imageRef ?? spec?.image?.name;
  return {
    body: {
      numCPUs: cpus,
      memoryMiB,
      diskGiB: Math.ceil(rootBytes / gibibyte),
      template: image ?? toFill,
      server: toFill,
      datacenter: toFill,
      datastore: toFill,
      network: { devices: [{ networkName: toFill, dhcp4: true }] },
    },
    notes: [
      'server, datacenter, datastore and network.devices[0].networkName are for you to fill in',
      ...(image === undefined ? ['template: import the image into the vCenter, and name it'] : []),
    ],
  };
}

function metal3Machine(spec: Spec): { body: object; notes: string[] } {
  const { url = toFill, checksum = toFill, format = 'qcow2' } = spec?.image ?? {};
  const { cpus, memoryMiB } = machineSizeOf(spec);
  return {
    body: {
      image: { url, checksum: checksum.replace(/^sha256:/, ''), checksumType: 'sha256', format },
      hostSelector: { matchLabels: { size: `${cpus}-cpus-${Math.ceil(memoryMiB / 1024)}-gib` } },
    },
    notes: ['hostSelector: label the BareMetalHosts that are large enough'],
  };
}

/** A disk or a share that the workload relies on is nothing that another provider gives by itself. */
function blockers(spec: Spec): string[] {
  const { resources, etcd, hostVolumes, iscsi, nodeSelector } = spec ?? {};
  const isSet = (amount: number | string | undefined): boolean => amount !== undefined && bytesOf(amount) > 0;
  const found: [boolean, string][] = [
    [(hostVolumes ?? []).length > 0, 'hostVolumes: folders of KVM hosts are not there; move their data first (blocks)'],
    [iscsi !== undefined, 'iscsi.initiatorName: let the storage know the new initiators first (blocks)'],
    [isSet(resources?.dockerVolumeSize), 'dockerVolumeSize: no disk of its own; make the root disk larger'],
    [isSet(resources?.kubeletVolumeSize), 'kubeletVolumeSize: no disk of its own; make the root disk larger'],
    [etcd?.storage !== undefined && etcd.storage !== 'none', 'etcd.storage: etcd is on the root disk'],
    [nodeSelector !== undefined, 'nodeSelector: placement is by failure domains or host selectors'],
  ];
  return found.filter(([isFound]) => isFound).map(([, note]) => note);
}
