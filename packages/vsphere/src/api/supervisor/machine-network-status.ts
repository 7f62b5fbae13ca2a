import { atomicList, boolean, dateTime, enumeration, int32, object, optional, string } from '@slipway/kube/kit';
import { text } from '../shared/limits.js';

const many = { minItems: 1, maxItems: 100 } as const;

const dhcpFamily = object(
  {
    config: optional(atomicList(object({ key: text(100), value: optional(text(10_000)) }), many)),
    enabled: optional(boolean()),
  },
  { minProperties: 1 },
);

const addresses = atomicList(
  object({
    address: string({ minLength: 7, maxLength: 512 }),
    lifetime: optional(dateTime()),
    origin: optional(enumeration(['dhcp', 'linklayer', 'manual', 'other', 'random'])),
    state: optional(
      enumeration(['deprecated', 'duplicate', 'inaccessible', 'invalid', 'preferred', 'tentative', 'unknown']),
    ),
  }),
  { minItems: 1, maxItems: 10 },
);

/** What the guest reports of its interfaces, as VM Operator passes it on. */
export const machineNetworkStatus = object(
  {
    interfaces: optional(
      atomicList(
        object(
          {
            deviceKey: optional(int32({ minimum: 1, maximum: 1_000_000 })),
            dns: optional(
              object(
                {
                  dhcp: optional(boolean()),
                  domainName: optional(text(512)),
                  hostName: optional(text(512)),
                  nameservers: optional(atomicList(text(512), many)),
                  searchDomains: optional(atomicList(text(512), many)),
                },
                { minProperties: 1 },
              ),
            ),
            ip: optional(
              object(
                {
                  addresses: optional(addresses),
                  autoConfigurationEnabled: optional(boolean()),
                  dhcp: optional(
                    object({ ip4: optional(dhcpFamily), ip6: optional(dhcpFamily) }, { minProperties: 1 }),
                  ),
                  macAddr: optional(text(512)),
                },
                { minProperties: 1 },
              ),
            ),
            name: optional(string({ minLength: 2, maxLength: 512 })),
          },
          { minProperties: 1 },
        ),
        many,
      ),
    ),
  },
  { minProperties: 1 },
);
