import { podFamilies } from '../ip-families.js';
import type { Frozen, KubeObject } from '@slipway/kube';
import { ReconcileError } from '@slipway/runtime';
import { type SubnetSet, subnetSets } from '../../api/index.js';
import { apiVersionOf } from '../platform.js';
import type { MachineNetwork, NetworkProvider, NetworkScope, VmInterface } from './network-provider.js';
import { ensureClusterNetwork, requireReady } from './readiness.js';

function makesSubnetSet({ vsphereCluster }: NetworkScope): boolean {
  return vsphereCluster.spec?.network?.nsxVPC?.createSubnetSet !== false;
}

/** Network provider for NSX virtual private clouds: each cluster has its own SubnetSet, unless createSubnetSet is false. */
export const vpcProvider: NetworkProvider = {
  hasLoadBalancer: true,
  // The load balancer of a VPC has its own health checks.
  supportsReadinessProbe: false,
  async ensureNetwork(scope) {
    if (!makesSubnetSet(scope)) return;
    const name = scope.vsphereCluster.metadata.name ?? '';
    const network = await ensureClusterNetwork<SubnetSet>(scope, subnetSets, name, (draft) => {
      if (!scope.features.IPv6DualStack) return;
      draft.spec ??= {};
      draft.spec.ipAddressType = podFamilies(scope.cluster).join('');
    });
    requireReady(network as Frozen<KubeObject>);
  },
  serviceAnnotations: () => Promise.resolve({ 'lb.iaas.vmware.com/enable-endpoint-health-check': '' }),
  // Rebuild the list each time: the VM has exactly the interfaces of the spec.
  async connect(scope, machine) {
    const modes = scope.features.IPv6DualStack ? { ipamModes: [...podFamilies(scope.cluster)] } : {};
    const interfaces = [
      { ...primaryInterface(scope, machine), ...modes },
      ...(machine?.interfaces?.secondary ?? []).map((each) => ({
        ...settingsOf(each),
        name: each.name,
        network: { ...each.networkRef },
        // Only one interface may have a default gateway.
        gateway4: 'None',
        gateway6: 'None',
        ...modes,
      })),
    ];
    const vlans = machine?.vlans?.map((each) => ({ ...each }));
    return Promise.resolve({ interfaces, ...(vlans !== undefined && { vlans }) });
  },
};

function primaryInterface(scope: NetworkScope, machine: MachineNetwork): VmInterface {
  const primary = machine?.interfaces?.primary;
  const own = makesSubnetSet(scope);
  if (own !== (primary === undefined)) {
    const message = own
      ? 'spec.network.interfaces.primary can only be set if spec.network.nsxVPC.createSubnetSet of the VSphereCluster is false'
      : 'spec.network.interfaces.primary must be set if spec.network.nsxVPC.createSubnetSet of the VSphereCluster is false';
    throw new ReconcileError('NotProvisioned', message, { retry: 'onChange' });
  }
  if (primary !== undefined) return { ...settingsOf(primary), name: 'eth0', network: { ...primary.networkRef } };
  const { kind } = subnetSets;
  const name = scope.vsphereCluster.metadata.name ?? '';
  return { name: 'eth0', network: { apiVersion: apiVersionOf(subnetSets), kind, name } };
}

function settingsOf({
  mtu,
  routes,
}: {
  readonly mtu?: number;
  readonly routes?: readonly { readonly to: string; readonly via: string }[];
}): Pick<VmInterface, 'mtu' | 'routes'> {
  return {
    ...(mtu !== undefined && { mtu }),
    ...(routes !== undefined && { routes: routes.map((route) => ({ ...route })) }),
  };
}
