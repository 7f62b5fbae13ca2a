import type { Frozen } from '@slipway/kube';
import type { VSphereVm } from '../../api/index.js';

export type ObservedVm = Frozen<VSphereVm>;
export type VmSpec = ObservedVm['spec'];
export type NetworkSpec = VmSpec['network'];
export type NetworkDevice = NetworkSpec['devices'][number];
export type DhcpOverrides = NonNullable<NetworkDevice['dhcp4Overrides']>;
export type NetworkStatus = NonNullable<NonNullable<VSphereVm['status']>['network']>;
