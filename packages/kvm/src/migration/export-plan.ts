import type { Frozen, KubeObject } from '@slipway/kube';
import { bytesOf, type KVMMachineTemplate, machineSizeOf } from '../api/index.js';

export type ExportTarget = 'vsphere' | 'metal3';

export interface ExportPlan {
  readonly object: KubeObject;
  /** Fields that the new provider does not support, or that the user must set. */
  readonly notes: readonly string[];
}

type Spec = NonNullable<Frozen<KVMMachineTemplate>['spec']>['template']['spec'];

const gibibyte = 1024 ** 3;
const toFill = 'TO-FILL-IN';

/** Converts a machine template to another provider, with notes about what cannot be converted. */
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
      'set server, datacenter, datastore and network.devices[0].networkName',
      ...(image === undefined ? ['template: import the image into vCenter and set its name'] : []),
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

/** Returns notes about disks and host directories that the workload depends on and other providers do not offer. */
function blockers(spec: Spec): string[] {
  const { resources, etcd, hostVolumes, iscsi, nodeSelector } = spec ?? {};
  const isSet = (amount: number | string | undefined): boolean => amount !== undefined && bytesOf(amount) > 0;
  const found: [boolean, string][] = [
    [
      (hostVolumes ?? []).length > 0,
      'hostVolumes: the other provider does not support host directories; move their data before the migration (required)',
    ],
    [
      iscsi !== undefined,
      'iscsi.initiatorName: register the new initiators with the storage before the migration (required)',
    ],
    [
      isSet(resources?.dockerVolumeSize),
      'dockerVolumeSize: the template cannot have a separate disk for containers; enlarge the root disk',
    ],
    [
      isSet(resources?.kubeletVolumeSize),
      'kubeletVolumeSize: the template cannot have a separate disk for the kubelet; enlarge the root disk',
    ],
    [etcd?.storage !== undefined && etcd.storage !== 'none', 'etcd.storage: etcd stores its data on the root disk'],
    [nodeSelector !== undefined, 'nodeSelector: use failure domains or host selectors for placement'],
  ];
  return found.filter(([isFound]) => isFound).map(([, note]) => note);
}
