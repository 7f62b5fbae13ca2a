import { listAt, textAt } from '@slipway/cluster-api';
import { openStackCredentials } from './credentials.js';
import { type Platform, PlatformError } from './platform.js';

export const openstack: Platform = {
  type: 'OpenStack',
  provider: 'openstack',
  gateSuffix: 'OpenStack',
  kindPrefix: 'OpenStack',
  version: 'v1beta1',
  needsProviderSpec: false,
  discoversNetworks: true,
  credentials: openStackCredentials,
  infraCluster({ infrastructure, infraName, networks }) {
    const path = ['status', 'platformStatus', 'openstack'] as const;
    const balancer = textAt(infrastructure, ...path, 'loadBalancer', 'type') ?? 'OpenShiftManagedDefault';
    if (balancer !== 'OpenShiftManagedDefault')
      throw new PlatformError('UnsupportedConfiguration', `load balancers of the type ${balancer} are not supported`);
    const [host] = listAt(infrastructure, ...path, 'apiServerInternalIPs');
    if (typeof host !== 'string')
      throw new PlatformError('InvalidConfiguration', 'the Infrastructure has no apiServerInternalIPs');
    if (networks === undefined)
      throw new PlatformError('WaitingOnExternal', 'the networks of the control plane machines to be found');
    return {
      // The provider must set the status itself, which it does not do for externally managed objects.
      isManagedByUs: false,
      spec: {
        // The host is an IP address, because only nodes can resolve the internal DNS name.
        controlPlaneEndpoint: { host, port: 6443 },
        disableAPIServerFloatingIP: true,
        identityRef: { name: openStackCredentials.secretName, cloudName: 'openstack' },
        tags: [`openshiftClusterID=${infraName}`],
        network: { id: networks.networkId },
        router: { id: networks.routerId },
        externalNetwork: { id: networks.externalNetworkId },
      },
    };
  },
};
