import { at, type Conversion, defineConversion, failureDomainList, structure } from '@slipway/cluster-api';
import type { Kind } from '@slipway/kube';
import { resourceOf } from '@slipway/runtime';
import { kvmCluster } from './kvm-cluster.js';
import { kvmClusterTemplate } from './kvm-cluster-template.js';
import { kvmMachine } from './kvm-machine.js';
import { kvmMachineTemplate } from './kvm-machine-template.js';

/** Every kind of this package. */
export const kvmKinds: readonly Kind[] = [kvmClusterTemplate, kvmCluster, kvmMachineTemplate, kvmMachine];

/** Client resources of the kinds. */
export const kvmClusters = resourceOf(kvmCluster);
export const kvmMachines = resourceOf(kvmMachine);
export const kvmMachineTemplates = resourceOf(kvmMachineTemplate);

/** Conversions between each old version of a kind and its storage version. */
export const kvmConversions: readonly Conversion[] = [
  defineConversion(kvmCluster, 'v1beta1', structure(at('status', structure(at('failureDomains', failureDomainList))))),
];
