import type { OpenStackNetworkService } from '@slipway/openshift';

const networkId = 'demo-network';
const subnet = { id: 'demo-subnet', cidr: '10.0.0.0/24', gatewayIp: '10.0.0.1' };
const router = { networkId, deviceId: 'demo-router', addresses: [{ subnetId: subnet.id, ip: subnet.gatewayIp }] };

/** One network with one router that all machines share. */
export function simulatedNetworkService(): OpenStackNetworkService {
  return {
    portsOf: (filter) =>
      Promise.resolve('deviceId' in filter ? [{ networkId, deviceId: filter.deviceId, addresses: [] }] : [router]),
    subnetsOf: () => Promise.resolve([subnet]),
    router: () => Promise.resolve({ externalNetworkId: 'demo-internet' }),
  };
}
