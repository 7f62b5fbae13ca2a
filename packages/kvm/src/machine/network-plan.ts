import { createHash } from 'node:crypto';
import { addressPoolOf, type InClusterIPPool, type IPAddressClaim } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { KVMCluster, KVMMachine } from '../api/index.js';

export type NetworkMode = NonNullable<NonNullable<NonNullable<KVMCluster['spec']>['network']>['mode']>;

/** Default CIDR and range of a segment. Segments are closed networks, so all clusters can use the same addresses. */
const segmentDefaults = { cidr: '172.30.0.0/24', range: '172.30.0.10-172.30.0.250' } as const;

export function networkModeOf(kvmCluster: Frozen<KVMCluster>, backend: 'local' | 'pod'): NetworkMode {
  return kvmCluster.spec?.network?.mode ?? (backend === 'pod' ? 'podBridge' : 'segment');
}

/** Returns a MAC address that is derived from the UUID only, so that it is the same in every boot. */
export function macAddressOf(uuid: string, index: number): string {
  const digest = createHash('sha256').update(`${uuid}/${index}`).digest();
  return ['52', '54', '00', ...[...digest.subarray(0, 3)].map((byte) => byte.toString(16).padStart(2, '0'))].join(':');
}

/** Returns the multicast group and port of a cluster's segment. */
export function segmentOf({ metadata }: Pick<Frozen<KVMCluster>, 'metadata'>): { group: string; port: number } {
  const digest = createHash('sha256')
    .update(`${metadata.namespace ?? ''}/${metadata.name ?? ''}`)
    .digest();
  // 239.192.0.0/14 is the organization-local scope of RFC 2365.
  const group = `239.192.${digest[0] ?? 0}.${digest[1] ?? 0}`;
  return { group, port: 20_000 + (digest.readUInt16BE(2) % 40_000) };
}

/** Addresses of the guest and of this host in QEMU's user-mode network. */
export const userNetwork = { address: '10.0.2.15', host: '10.0.2.2' } as const;

/** Returns the IP addresses of the machine without their prefix lengths. */
export function addressesOf({ spec }: Pick<Frozen<KVMMachine>, 'spec'>): string[] {
  return (spec?.network?.ipAddresses ?? []).map((address) => address.split('/')[0] ?? '');
}

/** Returns whether this provider allocates the addresses of the machines. Otherwise the network does, such as by DHCP. */
export function allocatesAddresses(kvmCluster: Frozen<KVMCluster>, backend: 'local' | 'pod'): boolean {
  const mode = networkModeOf(kvmCluster, backend);
  const { cidr, ipRange, ipPoolRef } = kvmCluster.spec?.network ?? {};
  if (mode === 'segment') return true;
  return mode === 'bridge' && (cidr !== undefined || ipRange !== undefined || ipPoolRef !== undefined);
}

/** Returns the reference to the IP pool of the machines: the one in the spec, or the pool of the cluster. */
export function poolReferenceOf(kvmCluster: Frozen<KVMCluster>): IPAddressClaim['spec']['poolRef'] {
  return kvmCluster.spec?.network?.ipPoolRef ?? addressPoolOf(kvmCluster);
}

/** Returns the spec of a cluster's IP pool, which excludes the address of the endpoint. */
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
