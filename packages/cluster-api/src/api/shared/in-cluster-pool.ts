import { boolean, int32, integer, list, object, optional, string, type PrinterColumn } from '@slipway/kube/kit';

export const inClusterPoolSpec = object(
  {
    addresses: list(string(), { description: 'Single addresses, ranges such as 10.0.0.10-10.0.0.20, or CIDR blocks.' }),
    prefix: integer({ maximum: 128, description: 'The prefix length of the network that the addresses are in.' }),
    gateway: optional(string({ description: 'The gateway that machines with these addresses use; never given out.' })),
    allocateReservedIPAddresses: optional(
      boolean({ description: 'Also give out network, broadcast and router anycast addresses.' }),
    ),
    addressReuseGracePeriodSeconds: optional(
      int32({
        minimum: 0,
        description: 'How long an address rests after its claim was deleted, before another gets it.',
      }),
    ),
    excludedAddresses: optional(list(string(), { description: 'Addresses that are never given out.' })),
  },
  { description: 'Which addresses the pool gives out.' },
);

export const inClusterPoolStatus = object({
  ipAddresses: optional(
    object({
      total: integer({ description: 'How many addresses the pool can give out.' }),
      free: integer({ description: 'How many of them are free.' }),
      used: integer({ description: 'How many addresses are claimed, those out of range included.' }),
      outOfRange: integer({ description: 'How many claimed addresses the pool no longer contains.' }),
    }),
  ),
});

export const inClusterPoolColumns = [
  { name: 'Addresses', type: 'string', jsonPath: '.spec.addresses' },
  { name: 'Total', type: 'integer', jsonPath: '.status.ipAddresses.total' },
  { name: 'Free', type: 'integer', jsonPath: '.status.ipAddresses.free' },
  { name: 'Used', type: 'integer', jsonPath: '.status.ipAddresses.used' },
] as const satisfies readonly PrinterColumn[];
