import { at, type Conversion, defineConversion, failureDomainList, structure } from '@slipway/cluster-api';
import type { Kind } from '@slipway/kube';
import { resourceOf } from '@slipway/runtime';
import { kvmCluster } from './kvm-cluster.js';
import { kvmClusterTemplate } from './kvm-cluster-template.js';
import { kvmMachine } from './kvm-machine.js';
import { kvmMachineTemplate } from './kvm-machine-template.js';

/** Every kind of this package. */
export const kvmKinds: readonly Kind[] = [kvmClusterTemplate, kvmCluster, kvmMachineTemplate, kvmMachine];

/** The kinds as clients name them. */
export const kvmClusters = resourceOf(kvmCluster);
export const kvmClusterTemplates = resourceOf(kvmClusterTemplate);
export const kvmMachines = resourceOf(kvmMachine);
export const kvmMachineTemplates = resourceOf(kvmMachineTemplate);

/** Every old version of a kind of this package, with its way to the storage version and back. */
export const kvmConversions: readonly Conversion[] = [
  defineConversion(kvmCluster, 'v1beta1', structure(at('status', structure(at('failureDomains', failureDomainList))))),
];
