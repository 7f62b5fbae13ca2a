import { formatIp, type Frozen, type IpAddress, type OwnerReference } from '@slipway/kube';
import { ownerReference } from '@slipway/runtime';
import { type IPAddress, type IPAddressClaim, ipamFinalizers, labels } from '../api/index.js';
import type { ObservedPool } from './pool-reference.js';

/** Label to find the owner of an address without listing all of them. */
export const addressLabel = 'ipam.cluster.x-k8s.io/address';

/** IPv6 addresses with dots instead of colons, which label values cannot contain. Label values must not start with a dot. */
export function addressLabelValue(address: IpAddress): string {
  return address.family === 'IPv4' ? formatIp(address) : `v6${formatIp(address).replaceAll(':', '.')}z`;
}

/** The claim controls its address. The pool must exist as long as the address is allocated. */
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
