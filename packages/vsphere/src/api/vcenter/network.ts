import { atomicList, boolean, int32, int64, integer, list, object, optional, string } from '@slipway/kube/kit';
import { contractReference, poolReferenceV1Beta1 } from '@slipway/cluster-api/schemas';
import { text, texts } from '../shared/limits.js';
import { withDescriptions } from '../shared/with-descriptions.js';
import {
  addressingDescriptions,
  deviceDescriptions,
  dhcpOverrideDescriptions,
  networkStatusDescriptions,
  routeDescriptions,
  virtualMachineRoutesDescription,
} from './network-descriptions.js';

const dhcpOverrides = object(
  withDescriptions(
    {
      hostname: optional(string({ maxLength: 1024 })),
      routeMetric: optional(int32({ minimum: 0 })),
      sendHostname: optional(boolean()),
      useDNS: optional(boolean()),
      useDomains: optional(string({ maxLength: 128 })),
      useHostname: optional(boolean()),
      useMTU: optional(boolean()),
      useNTP: optional(boolean()),
      useRoutes: optional(string({ maxLength: 128 })),
    },
    dhcpOverrideDescriptions,
  ),
);

const dhcpOverridesV1Beta1 = object(
  withDescriptions(
    {
      hostname: optional(string()),
      routeMetric: optional(integer()),
      sendHostname: optional(boolean()),
      useDNS: optional(boolean()),
      useDomains: optional(string()),
      useHostname: optional(boolean()),
      useMTU: optional(boolean()),
      useNTP: optional(boolean()),
      useRoutes: optional(string()),
    },
    dhcpOverrideDescriptions,
  ),
);

const routes = (description: string) =>
  atomicList(
    object(withDescriptions({ metric: int32({ minimum: 0 }), to: text(39), via: text(39) }, routeDescriptions)),
    { maxItems: 512, description },
  );

const routesV1Beta1 = (description: string) =>
  list(object(withDescriptions({ metric: int32(), to: string(), via: string() }, routeDescriptions)), { description });

/** The fields that network devices share with the network configurations of a VSphereFailureDomain. */
export const addressing = withDescriptions(
  {
    addressesFromPools: optional(atomicList(contractReference, { maxItems: 128 })),
    dhcp4: optional(boolean()),
    dhcp4Overrides: optional(dhcpOverrides),
    dhcp6: optional(boolean()),
    dhcp6Overrides: optional(dhcpOverrides),
    nameservers: optional(texts(128, 64)),
    searchDomains: optional(texts(128, 1024)),
  },
  addressingDescriptions,
);

export const addressingV1Beta1 = withDescriptions(
  {
    addressesFromPools: optional(list(poolReferenceV1Beta1)),
    dhcp4: optional(boolean()),
    dhcp4Overrides: optional(dhcpOverridesV1Beta1),
    dhcp6: optional(boolean()),
    dhcp6Overrides: optional(dhcpOverridesV1Beta1),
    nameservers: optional(list(string())),
    searchDomains: optional(list(string())),
  },
  addressingDescriptions,
);

const devicesDescription =
  'Network devices of the virtual machine, in the order in which they are attached. A failure domain replaces the network of the device at the same position.';

export const networkSpec = object({
  devices: atomicList(
    object({
      ...addressing,
      ...withDescriptions(
        {
          deviceName: optional(text(1024)),
          gateway4: optional(text(64)),
          gateway6: optional(text(64)),
          ipAddrs: optional(texts(128, 39)),
          macAddr: optional(text(23)),
          mtu: optional(int64()),
          networkName: text(2048),
          routes: optional(routes(deviceDescriptions.routes)),
          skipIPAllocation: optional(boolean()),
        },
        deviceDescriptions,
      ),
    }),
    { maxItems: 128, description: devicesDescription },
  ),
  routes: optional(routes(virtualMachineRoutesDescription)),
});

export const networkSpecV1Beta1 = object({
  devices: list(
    object({
      ...addressingV1Beta1,
      ...withDescriptions(
        {
          deviceName: optional(string()),
          gateway4: optional(string()),
          gateway6: optional(string()),
          ipAddrs: optional(list(string())),
          macAddr: optional(string()),
          mtu: optional(int64()),
          networkName: string(),
          routes: optional(routesV1Beta1(deviceDescriptions.routes)),
          skipIPAllocation: optional(boolean()),
        },
        deviceDescriptions,
      ),
    }),
    { description: devicesDescription },
  ),
  preferredAPIServerCidr: optional(string({ description: 'Not used, and removed in v1beta2.' })),
  routes: optional(routesV1Beta1(virtualMachineRoutesDescription)),
});

const networkStatusDescription = 'Network devices of the virtual machine, as vCenter reports them.';

export const networkStatus = atomicList(
  object(
    withDescriptions(
      {
        connected: optional(boolean()),
        ipAddrs: optional(texts(128, 39)),
        macAddr: text(17),
        networkName: optional(text(1024)),
      },
      networkStatusDescriptions,
    ),
  ),
  { maxItems: 128, description: networkStatusDescription },
);

export const networkStatusV1Beta1 = list(
  object(
    withDescriptions(
      {
        connected: optional(boolean()),
        ipAddrs: optional(list(string())),
        macAddr: string(),
        networkName: optional(string()),
      },
      networkStatusDescriptions,
    ),
  ),
  { description: networkStatusDescription },
);
