import { isInNetworks } from '../approver/names-compare.js';
import { type DiscoveredNetworks, PlatformError } from '../platforms/index.js';

/** Client of the OpenStack network service. */
export interface OpenStackNetworkService {
  /** Returns the ports of a server, or of a network. */
  portsOf(filter: { readonly deviceId: string } | { readonly networkId: string }): Promise<readonly NetworkPort[]>;
  subnetsOf(networkId: string): Promise<readonly NetworkSubnet[]>;
  router(id: string): Promise<{ readonly externalNetworkId: string | undefined } | undefined>;
}

export interface NetworkPort {
  readonly networkId: string;
  readonly deviceId: string;
  readonly addresses: readonly { readonly subnetId: string; readonly ip: string }[];
}

interface NetworkSubnet {
  readonly id: string;
  readonly cidr: string;
  readonly gatewayIp: string | undefined;
}

/** Discovers the network, router and external network of the machines, from the ports of a machine. */
export async function discoverNetworks(
  service: OpenStackNetworkService,
  serverIds: readonly string[],
  internalIps: readonly string[],
): Promise<DiscoveredNetworks> {
  for (const deviceId of serverIds)
    for (const { networkId } of await service.portsOf({ deviceId }))
      for (const subnet of await service.subnetsOf(networkId)) {
        if (!internalIps.some((ip) => isInNetworks(ip, [subnet.cidr]))) continue;
        return { networkId, ...(await routerOf(service, networkId, subnet)) };
      }
  throw new PlatformError(
    'InvalidConfiguration',
    `no control plane machine is in a subnet with one of the addresses ${internalIps.join(', ')}`,
  );
}

async function routerOf(
  service: OpenStackNetworkService,
  networkId: string,
  subnet: NetworkSubnet,
): Promise<{ routerId: string; externalNetworkId: string }> {
  const ports = await service.portsOf({ networkId });
  const gateways = ports.filter(({ addresses }) =>
    addresses.some(({ subnetId, ip }) => subnetId === subnet.id && ip === subnet.gatewayIp),
  );
  const [gateway, ...others] = gateways;
  if (gateway === undefined || others.length > 0)
    throw new PlatformError(
      'InvalidConfiguration',
      `${gateways.length} ports have the gateway address of subnet ${subnet.id}, expected one`,
    );
  const externalNetworkId = (await service.router(gateway.deviceId))?.externalNetworkId;
  if (externalNetworkId === undefined)
    throw new PlatformError('InvalidConfiguration', `router ${gateway.deviceId} has no external gateway`);
  return { routerId: gateway.deviceId, externalNetworkId };
}

/** Returns the server ID in a provider ID. */
export function serverIdOf(providerId: string | undefined): string | undefined {
  return /^openstack:\/\/[^/]*\/([^/]+)$/.exec(providerId ?? '')?.[1];
}
