import { addressPoolOf, type InClusterIPPool, type IPAddressClaim } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { KVMCluster } from '../api/index.js';
import { networkModeOf, segmentDefaults } from './network-plan.js';

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
