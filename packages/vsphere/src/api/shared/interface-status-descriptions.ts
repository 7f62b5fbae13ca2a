// VirtualMachines report their network interfaces in this form, and VSphereMachines of a Supervisor copy it.

export const dhcpOptionDescriptions = {
  key: 'Name of the setting.',
  value: 'Value of the setting.',
} as const;

export const dhcpFamilyDescriptions = {
  config: "Settings of the guest's DHCP client, in the notation of its operating system.",
  enabled: 'Whether DHCP is enabled.',
} as const;

export const addressStatusDescriptions = {
  address: 'IP address in CIDR notation.',
  lifetime: 'When the address expires. Absent if it does not expire.',
  origin: 'Where the address comes from: dhcp, linklayer, manual, random or other.',
  state: 'State of the address as defined in RFC 4293. A usable address is in state preferred.',
} as const;

export const dnsStatusDescriptions = {
  dhcp: 'Whether the DNS settings come from DHCP.',
  domainName: 'Domain name of the guest.',
  hostName: 'Host name of the guest.',
  nameservers: 'IP addresses of the DNS servers.',
  searchDomains: 'DNS search domains.',
} as const;

export const ipStatusDescriptions = {
  addresses: 'IP addresses of the interface.',
  autoConfigurationEnabled: 'Whether IPv6 stateless address autoconfiguration is enabled.',
  dhcp: 'DHCP settings of the interface.',
  macAddr: 'MAC address of the interface.',
} as const;

export const dhcpStatusDescriptions = {
  ip4: 'DHCP settings for IPv4.',
  ip6: 'DHCP settings for IPv6.',
} as const;

export const interfaceStatusDescriptions = {
  deviceKey: 'Key of the virtual network device in vSphere.',
  dns: 'DNS settings of the interface.',
  ip: 'IP settings of the interface.',
  name: 'Name of the interface, as in the spec of the VirtualMachine.',
} as const;
