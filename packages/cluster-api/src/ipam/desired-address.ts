import { formatIp, type Frozen, type IpAddress, type OwnerReference } from '@slipway/kube';
import { ownerReference } from '@slipway/runtime';
import { type IPAddress, type IPAddressClaim, ipamFinalizers, labels } from '../api/index.js';
import type { ObservedPool } from './pool-reference.js';

/** Label with the IP address, to find the IPAddress object without listing all of them. */
export const addressLabel = 'ipam.cluster.x-k8s.io/address';

/**
 * Returns the label value of an address. In IPv6, colons, which label values cannot contain, become dots. A prefix and a suffix
 * keep the value from starting or ending with a dot.
 */
export function addressLabelValue(address: IpAddress): string {
  return address.family === 'IPv4' ? formatIp(address) : `v6${formatIp(address).replaceAll(':', '.')}z`;
}

/**
 * Returns the owner references of an address: the claim as controller, and the pool, which must exist while the address is
 * allocated.
 */
export function addressOwners(claim: Frozen<IPAddressClaim>, pool: ObservedPool): OwnerReference[] {
  return [
    ownerReference(claim, { controller: true }),
    { ...ownerReference(pool), controller: false, blockOwnerDeletion: true },
  ];
}

export function addressLabels(claim: Frozen<IPAddressClaim>): Record<string, string> {
  const cluster = claim.metadata.labels?.[labels.clusterName];
  return cluster === undefined ? {} : { [labels.clusterName]: cluster };
}

export function desiredAddress(claim: Frozen<IPAddressClaim>, pool: ObservedPool, address: IpAddress): IPAddress {
  const { name = '', namespace = '' } = claim.metadata;
  const { apiGroup, kind, name: poolName } = claim.spec.poolRef;
  const gateway = pool.spec?.gateway ?? '';
  return {
    apiVersion: 'ipam.cluster.x-k8s.io/v1beta2',
    kind: 'IPAddress',
    metadata: {
      name,
      namespace,
      labels: { ...addressLabels(claim), [addressLabel]: addressLabelValue(address) },
      finalizers: [ipamFinalizers.protectAddress],
      ownerReferences: addressOwners(claim, pool),
    },
    spec: {
      address: formatIp(address),
      prefix: pool.spec?.prefix ?? 0,
      claimRef: { name },
      poolRef: { apiGroup, kind, name: poolName },
      ...(gateway !== '' && { gateway }),
    },
  };
}
