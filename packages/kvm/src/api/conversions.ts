import { at, type Conversion, defineConversion, failureDomainList, structure } from '@slipway/cluster-api';
import { kvmCluster } from './kvm-cluster.js';

/** Every old version of a kind of this package, with its way to the storage version and back. */
export const kvmConversions: readonly Conversion[] = [
  defineConversion(kvmCluster, 'v1beta1', structure(at('status', structure(at('failureDomains', failureDomainList))))),
];
