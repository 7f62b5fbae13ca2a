import { atomicList, boolean, int32, int64, integer, list, object, optional, string } from '@slipway/kube/kit';
import { contractReference, poolReferenceV1Beta1 } from '@slipway/cluster-api/schemas';
import { text, texts } from '../shared/limits.js';

const dhcpOverrides = object({
  hostname: optional(string({ maxLength: 1024 })),
  routeMetric: optional(int32({ minimum: 0 })),
  sendHostname: optional(boolean()),
  useDNS: optional(boolean()),
  useDomains: optional(string({ maxLength: 128 })),
  useHostname: optional(boolean()),
  useMTU: optional(boolean()),
  useNTP: optional(boolean()),
  useRoutes: optional(string({ maxLength: 128 })),
});

const dhcpOverridesV1Beta1 = object({
  hostname: optional(string()),
  routeMetric: optional(integer()),
  sendHostname: optional(boolean()),
  useDNS: optional(boolean()),
  useDomains: optional(string()),
  useHostname: optional(boolean()),
  useMTU: optional(boolean()),
  useNTP: optional(boolean()),
  useRoutes: optional(string()),
});

const routes = atomicList(
  object({
    metric: int32({ minimum: 0 }),
    to: text(39),
    via: text(39),
  }),
  { maxItems: 512 },
);

const routesV1Beta1 = list(
  object({
    metric: int32(),
    to: string(),
    via: string(),
  }),
);

/** What a device and a failure domain's configuration for it both may say. */
export const addressing = {
  addressesFromPools: optional(
    atomicList(contractReference, {
      maxItems: 128,
      description: 'Pools of addresses; one address is claimed from each of them.',
    }),
  ),
  dhcp4: optional(boolean()),
  dhcp4Overrides: optional(dhcpOverrides),
  dhcp6: optional(boolean()),
  dhcp6Overrides: optional(dhcpOverrides),
  nameservers: optional(texts(128, 64)),
  searchDomains: optional(texts(128, 1024)),
} as const;

export const addressingV1Beta1 = {
  addressesFromPools: optional(list(poolReferenceV1Beta1)),
  dhcp4: optional(boolean()),
  dhcp4Overrides: optional(dhcpOverridesV1Beta1),
  dhcp6: optional(boolean()),
  dhcp6Overrides: optional(dhcpOverridesV1Beta1),
  nameservers: optional(list(string())),
  searchDomains: optional(list(string())),
} as const;

export const networkSpec = object(
  {
    devices: atomicList(
      object({
        ...addressing,
        deviceName: optional(text(1024)),
        gateway4: optional(text(64)),
        gateway6: optional(text(64)),
        ipAddrs: optional(texts(128, 39)),
        macAddr: optional(text(23)),
        mtu: optional(int64()),
        networkName: text(2048),
        routes: optional(routes),
        skipIPAllocation: optional(boolean({ description: 'No address is expected on this device.' })),
      }),
      { maxItems: 128 },
    ),
    routes: optional(routes),
  },
  { description: 'The network devices of the virtual machine.' },
);

export const networkSpecV1Beta1 = object({
  devices: list(
    object({
      ...addressingV1Beta1,
      deviceName: optional(string()),
      gateway4: optional(string()),
      gateway6: optional(string()),
      ipAddrs: optional(list(string())),
      macAddr: optional(string()),
      mtu: optional(int64()),
      networkName: string(),
      routes: optional(routesV1Beta1),
      skipIPAllocation: optional(boolean()),
    }),
  ),
  preferredAPIServerCidr: optional(string()),
  routes: optional(routesV1Beta1),
});

export const networkStatus = atomicList(
  object({
    connected: optional(boolean()),
    ipAddrs: optional(texts(128, 39)),
    macAddr: text(17),
    networkName: optional(text(1024)),
  }),
  { maxItems: 128 },
);

export const networkStatusV1Beta1 = list(
  object({
    connected: optional(boolean()),
    ipAddrs: optional(list(string())),
    macAddr: string(),
    networkName: optional(string()),
  }),
);
