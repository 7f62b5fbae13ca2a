import type { Kind } from '@slipway/kube';
import { kvmCluster } from './kvm-cluster.js';
import { kvmClusterTemplate } from './kvm-cluster-template.js';
import { kvmMachine } from './kvm-machine.js';
import { kvmMachineTemplate } from './kvm-machine-template.js';

/** Every kind of this package. */
export const kvmKinds: readonly Kind[] = [kvmClusterTemplate, kvmCluster, kvmMachineTemplate, kvmMachine];
