import { createHash } from 'node:crypto';
import { addressPoolOf, type InClusterIPPool, type IPAddressClaim } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { KVMCluster, KVMMachine } from '../api/index.js';

export type NetworkMode = NonNullable<NonNullable<NonNullable<KVMCluster['spec']>['network']>['mode']>;

/** The network of clusters that name none: it is closed, so that all of them can have the same. */
const segmentDefaults = { cidr: '172.30.0.0/24', range: '172.30.0.10-172.30.0.250' } as const;

export function networkModeOf(kvmCluster: Frozen<KVMCluster>, backend: 'local' | 'pod'): NetworkMode {
  return kvmCluster.spec?.network?.mode ?? (backend === 'pod' ? 'podBridge' : 'segment');
}

/** An address of an interface that is the same in every boot: it follows from the machine, and from nothing else. */
export function macAddressOf(uuid: string, index: number): string {
  const digest = createHash('sha256').update(`${uuid}/${index}`).digest();
  return ['52', '54', '00', ...[...digest.subarray(0, 3)].map((byte) => byte.toString(16).padStart(2, '0'))].join(':');
}

/** Where machines of a cluster shout to each other: the same for all of them, and others for other clusters. */
export function segmentOf({ metadata }: Pick<Frozen<KVMCluster>, 'metadata'>): { group: string; port: number } {
  const digest = createHash('sha256')
    .update(`${metadata.namespace ?? ''}/${metadata.name ?? ''}`)
    .digest();
  // 239.192.0.0/14 is for whoever needs it inside an organisation.
  const group = `239.192.${digest[0] ?? 0}.${digest[1] ?? 0}`;
  return { group, port: 20_000 + (digest.readUInt16BE(2) % 40_000) };
}

/** Where every machine behind QEMU's own router has its address, and where it finds this host. */
export const userNetwork = { address: '10.0.2.15', host: '10.0.2.2' } as const;

/** The addresses without their prefix lengths. */
export function addressesOf({ spec }: Pick<Frozen<KVMMachine>, 'spec'>): string[] {
  return (spec?.network?.ipAddresses ?? []).map((address) => address.split('/')[0] ?? '');
}

/** Whether machines of the cluster get addresses from us; otherwise from whoever runs their network. */
export function allocatesAddresses(kvmCluster: Frozen<KVMCluster>, backend: 'local' | 'pod'): boolean {
  const mode = networkModeOf(kvmCluster, backend);
  const { cidr, ipRange, ipPoolRef } = kvmCluster.spec?.network ?? {};
  if (mode === 'segment') return true;
  return mode === 'bridge' && (cidr !== undefined || ipRange !== undefined || ipPoolRef !== undefined);
}

/** The pool that gives its machines their addresses: the one that the cluster names, or its own. */
export function poolReferenceOf(kvmCluster: Frozen<KVMCluster>): IPAddressClaim['spec']['poolRef'] {
  return kvmCluster.spec?.network?.ipPoolRef ?? addressPoolOf(kvmCluster);
}

/** What the pool of a cluster gives out: what is not the endpoint's. */
export function addressPoolSpec({ spec }: Pick<Frozen<KVMCluster>, 'spec'>): InClusterIPPool['spec'] {
  const { network, controlPlaneExposure, controlPlaneEndpoint } = spec ?? {};
  const { cidr, ipRange, gateway } = network ?? {};
  const prefix = Number((cidr ?? segmentDefaults.cidr).split('/')[1] ?? '24');
  const taken = [controlPlaneExposure?.vip, controlPlaneEndpoint?.host].filter(isAddress);
  return {
    addresses: [ipRange ?? cidr ?? segmentDefaults.range],
    prefix,
    ...(gateway !== undefined && { gateway }),
    ...(taken.length > 0 && { excludedAddresses: [...new Set(taken)] }),
  };
}

function isAddress(text: string | undefined): text is string {
  return text !== undefined && /^[0-9.]+$|:/.test(text);
}
