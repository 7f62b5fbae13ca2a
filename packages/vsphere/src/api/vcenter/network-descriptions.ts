export const dhcpOverrideDescriptions = {
  hostname: 'Host name that the guest sends to the DHCP server. Defaults to the host name of the guest.',
  routeMetric: 'Metric of the routes that come from DHCP. Routes with lower metrics are preferred.',
  sendHostname: 'Send the host name to the DHCP server. If not set, the guest decides.',
  useDNS: 'Use the DNS servers that DHCP offers. If not set, the guest decides.',
  useDomains:
    'Use the domain that DHCP offers: true as a search domain, route only to choose the DNS server for a name, or false. If not set, the guest decides.',
  useHostname: 'Use the host name that DHCP offers. If not set, the guest decides.',
  useMTU: 'Use the MTU that DHCP offers. If not set, the guest decides.',
  useNTP: 'Use the NTP servers that DHCP offers. If not set, the guest decides.',
  useRoutes: 'Use the routes that DHCP offers: true or false. If not set, the guest decides.',
} as const;

export const routeDescriptions = {
  metric: 'Metric of the route. Routes with lower metrics are preferred.',
  to: 'Destination of the route: an IP address or a network in CIDR notation.',
  via: 'IP address of the gateway.',
} as const;

export const virtualMachineRoutesDescription =
  'Static routes that are added to those of every network device. Immutable.';

export const addressingDescriptions = {
  addressesFromPools:
    'IPAM pools. One IP address is claimed from each of them for this device, and released when the virtual machine is deleted.',
  dhcp4: 'Get an IPv4 address by DHCP. Defaults to false.',
  dhcp4Overrides: 'How the guest uses what a DHCPv4 server offers.',
  dhcp6: 'Get an IPv6 address by DHCP, and accept router advertisements. Defaults to false.',
  dhcp6Overrides: 'How the guest uses what a DHCPv6 server offers.',
  nameservers: 'IP addresses of DNS servers.',
  searchDomains: 'DNS search domains.',
} as const;

export const deviceDescriptions = {
  deviceName: 'Name of the network interface in the guest. Defaults to eth followed by the position of the device.',
  gateway4: 'IP address of the default gateway for IPv4. The gateway of an IPAM pool replaces it.',
  gateway6: 'IP address of the default gateway for IPv6. The gateway of an IPAM pool replaces it.',
  ipAddrs:
    'Static IP addresses in CIDR notation, such as 192.0.2.10/24. Cannot be set in a template. A device without addresses, pools and DHCP delays the virtual machine until this field is set.',
  macAddr: 'MAC address of the device. If not set, vCenter assigns one.',
  mtu: 'Maximum transmission unit in bytes. If not set, the guest decides.',
  networkName:
    'Network that the device is connected to: its name, inventory path or managed object ID, or the ID of an NSX segment or logical switch.',
  routes: 'Static routes of this device.',
  skipIPAllocation: 'Do not wait for an IP address on this device. Defaults to false.',
} as const;

export const networkStatusDescriptions = {
  connected: 'Whether the device is connected to its network.',
  ipAddrs: 'IP addresses that the guest reports for the device. Loopback and link-local addresses are left out.',
  macAddr: 'MAC address of the device.',
  networkName: 'Name of the network that the device is connected to.',
} as const;
