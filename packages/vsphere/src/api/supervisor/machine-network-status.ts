import { atomicList, boolean, dateTime, enumeration, int32, object, optional, string } from '@slipway/kube/kit';
import { text } from '../shared/limits.js';
import { withDescriptions } from '../shared/with-descriptions.js';
import {
  addressStatusDescriptions,
  dhcpFamilyDescriptions,
  dhcpOptionDescriptions,
  dhcpStatusDescriptions,
  dnsStatusDescriptions,
  interfaceStatusDescriptions,
  ipStatusDescriptions,
} from '../shared/interface-status-descriptions.js';

const many = { minItems: 1, maxItems: 100 } as const;

const dhcpFamily = object(
  withDescriptions(
    {
      config: optional(
        atomicList(
          object(withDescriptions({ key: text(100), value: optional(text(10_000)) }, dhcpOptionDescriptions)),
          many,
        ),
      ),
      enabled: optional(boolean()),
    },
    dhcpFamilyDescriptions,
  ),
  { minProperties: 1 },
);

const addresses = atomicList(
  object(
    withDescriptions(
      {
        address: string({ minLength: 7, maxLength: 512 }),
        lifetime: optional(dateTime()),
        origin: optional(enumeration(['dhcp', 'linklayer', 'manual', 'other', 'random'])),
        state: optional(
          enumeration(['deprecated', 'duplicate', 'inaccessible', 'invalid', 'preferred', 'tentative', 'unknown']),
        ),
      },
      addressStatusDescriptions,
    ),
  ),
  { minItems: 1, maxItems: 10 },
);

const dns = object(
  withDescriptions(
    {
      dhcp: optional(boolean()),
      domainName: optional(text(512)),
      hostName: optional(text(512)),
      nameservers: optional(atomicList(text(512), many)),
      searchDomains: optional(atomicList(text(512), many)),
    },
    dnsStatusDescriptions,
  ),
  { minProperties: 1 },
);

const ip = object(
  withDescriptions(
    {
      addresses: optional(addresses),
      autoConfigurationEnabled: optional(boolean()),
      dhcp: optional(
        object(withDescriptions({ ip4: optional(dhcpFamily), ip6: optional(dhcpFamily) }, dhcpStatusDescriptions), {
          minProperties: 1,
        }),
      ),
      macAddr: optional(text(512)),
    },
    ipStatusDescriptions,
  ),
  { minProperties: 1 },
);

/** The network interfaces of the guest, copied from the status of the VirtualMachine. */
export const machineNetworkStatus = object(
  {
    interfaces: optional(
      atomicList(
        object(
          withDescriptions(
            {
              deviceKey: optional(int32({ minimum: 1, maximum: 1_000_000 })),
              dns: optional(dns),
              ip: optional(ip),
              name: optional(string({ minLength: 2, maxLength: 512 })),
            },
            interfaceStatusDescriptions,
          ),
          { minProperties: 1 },
        ),
        { ...many, description: 'Network interfaces of the guest.' },
      ),
    ),
  },
  { minProperties: 1, description: 'Network of the guest, as its VirtualMachine reports it.' },
);
