import type { Frozen, Thawed } from '@slipway/kube';
import type { VSphereDeploymentZone, VSphereFailureDomain } from '../../api/index.js';
import type { VmSpec } from '../vm/vm-spec.js';

type Draft = Thawed<VmSpec>;
type Topology = Frozen<VSphereFailureDomain>['spec']['topology'];
type NetworkConfiguration = NonNullable<Topology['networkConfigurations']>[number];

/** Overrides fields of the machine with those of its failure domain. */
export function applyFailureDomain(
  spec: Draft,
  zone: Frozen<VSphereDeploymentZone>,
  domain: Frozen<VSphereFailureDomain>,
): void {
  const { topology } = domain.spec;
  const { folder, resourcePool } = zone.spec.placementConstraint ?? {};
  spec.server = zone.spec.server;
  spec.datacenter = topology.datacenter;
  if (folder !== undefined) spec.folder = folder;
  if (resourcePool !== undefined) spec.resourcePool = resourcePool;
  if (topology.datastore !== undefined) spec.datastore = topology.datastore;
  applyNetworks(spec, topology);
}

/** Matches networks to devices by position. Further networks add devices. */
function applyNetworks(spec: Draft, { networks = [], networkConfigurations = [] }: Topology): void {
  const { devices } = spec.network;
  for (const [index, networkName] of networks.entries()) {
    const device = devices[index];
    if (device === undefined) devices.push({ networkName });
    else device.networkName = networkName;
  }
  for (const [index, configuration] of networkConfigurations.entries()) {
    const device = devices[index];
    if (device === undefined) devices.push(given(configuration));
    else Object.assign(device, given(configuration));
  }
}

/** Returns the fields of a network configuration that are set. Only these override the fields of the device. */
function given(configuration: NetworkConfiguration): Draft['network']['devices'][number] {
  const entries = Object.entries(structuredClone(configuration)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Draft['network']['devices'][number];
}
