import { boolean, int32, integer, list, object, optional, string, type PrinterColumn } from '@slipway/kube/kit';

export const inClusterPoolSpec = object(
  {
    addresses: list(string(), {
      description:
        'addresses are the addresses of the pool: single addresses, ranges such as 10.0.0.10-10.0.0.20, or CIDR blocks. All must be of one IP family and in one network. An allocated address that is removed stays allocated and counts as out of range.',
    }),
    prefix: integer({
      maximum: 128,
      description:
        'prefix is the length of the network prefix of the addresses, from 1 to 32 for IPv4 and to 128 for IPv6. Copied into every IPAddress.',
    }),
    gateway: optional(
      string({
        description: 'gateway is the gateway of the network. It is copied into every IPAddress and is never allocated.',
      }),
    ),
    allocateReservedIPAddresses: optional(
      boolean({
        description:
          'allocateReservedIPAddresses also allocates the network and broadcast addresses (IPv4) or the router anycast address (IPv6) of the network. Defaults to false.',
      }),
    ),
    addressReuseGracePeriodSeconds: optional(
      int32({
        minimum: 0,
        description:
          'addressReuseGracePeriodSeconds is how long, in seconds, an address stays unallocated after its claim was deleted. Defaults to 0.',
      }),
    ),
    excludedAddresses: optional(
      list(string(), {
        description: 'excludedAddresses are addresses, ranges or CIDR blocks that are never allocated.',
      }),
    ),
  },
  { description: 'spec is the set of addresses that the pool allocates.' },
);

export const inClusterPoolStatus = object(
  {
    ipAddresses: optional(
      object(
        {
          total: integer({ description: 'total is the number of addresses that the pool can allocate.' }),
          free: integer({ description: 'free is the number of addresses that are not allocated.' }),
          used: integer({
            description: 'used is the number of allocated addresses, including those that are out of range.',
          }),
          outOfRange: integer({
            description: 'outOfRange is the number of allocated addresses that the pool no longer contains.',
          }),
        },
        { description: 'ipAddresses counts the addresses of the pool.' },
      ),
    ),
  },
  { description: 'status is the observed usage of the pool.' },
);

export const inClusterPoolColumns = [
  { name: 'Addresses', type: 'string', jsonPath: '.spec.addresses' },
  { name: 'Total', type: 'integer', jsonPath: '.status.ipAddresses.total' },
  { name: 'Free', type: 'integer', jsonPath: '.status.ipAddresses.free' },
  { name: 'Used', type: 'integer', jsonPath: '.status.ipAddresses.used' },
] as const satisfies readonly PrinterColumn[];
