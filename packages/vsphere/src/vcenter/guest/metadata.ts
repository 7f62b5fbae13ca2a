import type { DhcpOverrides, NetworkDevice, NetworkSpec } from '../vm/vm-spec.js';

/** IPAM addresses of one network card. */
export interface PoolAddresses {
  readonly addresses: readonly string[];
  readonly gateway4?: string;
  readonly gateway6?: string;
}

/**
 * Renders the metadata that cloud-init reads in the guest. It is compared byte for byte with that of the VM: a YAML serializer
 * with other quoting would reconfigure every VM that another release created.
 */
export function renderMetadata(
  hostname: string,
  network: NetworkSpec,
  cards: readonly string[],
  pools: ReadonlyMap<string, PoolAddresses>,
): string {
  const devices = cards.map((mac, index) => {
    const device = network.devices[index];
    return device === undefined ? undefined : withPools(withRoutes(device, network), pools.get(mac));
  });
  const lines = [
    '',
    `instance-id: "${hostname}"`,
    `local-hostname: "${hostname}"`,
    'wait-on-network:',
    // Static addresses are ignored, as in upstream: only DHCP depends on the network.
    `  ipv4: ${devices.some((device) => device?.dhcp4 === true)}`,
    `  ipv6: ${devices.some((device) => device?.dhcp6 === true)}`,
    'network:',
    '  version: 2',
    '  ethernets:',
    ...cards.flatMap((mac, index) => ethernet(index, mac, devices[index])),
    '',
  ];
  return lines.join('\n');
}

/** Adds the routes of the network to the device, because netplan supports routes of devices only. */
function withRoutes(device: NetworkDevice, { routes = [] }: NetworkSpec): NetworkDevice {
  return routes.length === 0 ? device : { ...device, routes: [...(device.routes ?? []), ...routes] };
}

/** Adds IPAM addresses to the device. Gateways of the pools replace those of the device, even if the pools have none. */
function withPools(device: NetworkDevice, pools: PoolAddresses | undefined): NetworkDevice {
  if (pools === undefined) return device;
  const { addresses, gateway4, gateway6 } = pools;
  return { ...device, ipAddrs: [...(device.ipAddrs ?? []), ...addresses], gateway4, gateway6 };
}

/** Renders one network card. Cards beyond the devices of the spec get a name and no addresses. */
function ethernet(index: number, mac: string, device: Partial<NetworkDevice> = {}): string[] {
  const { deviceName = '', dhcp4 = false, dhcp6 = false } = device;
  return [
    `    id${index}:`,
    '      match:',
    `        macaddress: "${mac}"`,
    `      set-name: "${deviceName === '' ? `eth${index}` : deviceName}"`,
    '      wakeonlan: true',
    `      dhcp4: ${dhcp4}`,
    `      dhcp6: ${dhcp6}`,
    `      accept-ra: ${dhcp6}`,
    ...overrides('dhcp4-overrides', device.dhcp4Overrides),
    ...overrides('dhcp6-overrides', device.dhcp6Overrides),
    ...quotedList('      ', 'addresses', device.ipAddrs),
    ...quoted('      gateway4', device.gateway4),
    ...quoted('      gateway6', device.gateway6),
    ...bare('      mtu', device.mtu),
    ...routeLines(device.routes),
    ...nameservers(device),
  ];
}

function overrides(name: string, values: DhcpOverrides | undefined): string[] {
  if (values === undefined) return [];
  const lines = [
    ...quotedIfGiven('        hostname', values.hostname),
    ...bare('        route-metric', values.routeMetric),
    ...bare('        send-hostname', values.sendHostname),
    ...bare('        use-dns', values.useDNS),
    ...bare('        use-domains', values.useDomains),
    ...bare('        use-hostname', values.useHostname),
    ...bare('        use-mtu', values.useMTU),
    ...bare('        use-ntp', values.useNTP),
    ...quotedIfGiven('        use-routes', values.useRoutes),
  ];
  return [`      ${name}:`, ...lines];
}

function routeLines(routes: NetworkDevice['routes'] = []): string[] {
  if (routes.length === 0) return [];
  const entries = routes.flatMap(({ to, via, metric }) => [
    `      - to: "${to}"`,
    `        via: "${via}"`,
    `        metric: ${metric}`,
  ]);
  return ['      routes:', ...entries];
}

function nameservers({ nameservers: servers = [], searchDomains = [] }: Partial<NetworkDevice>): string[] {
  if (servers.length === 0 && searchDomains.length === 0) return [];
  return [
    '      nameservers:',
    ...quotedList('        ', 'addresses', servers),
    ...quotedList('        ', 'search', searchDomains),
  ];
}

function quotedList(indent: string, name: string, values: readonly string[] = []): string[] {
  return values.length === 0 ? [] : [`${indent}${name}:`, ...values.map((value) => `${indent}- "${value}"`)];
}

function quoted(key: string, value: string | undefined): string[] {
  return value === undefined || value === '' ? [] : [`${key}: "${value}"`];
}

function quotedIfGiven(key: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${key}: "${value}"`];
}

/** Renders an unquoted value. Unset fields are omitted, but false and 0 are rendered. */
function bare(key: string, value: string | number | boolean | undefined): string[] {
  return value === undefined ? [] : [`${key}: ${value}`];
}
