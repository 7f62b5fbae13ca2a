import ipaddr from 'ipaddr.js';

/** What a network of machines is divided into. */
export interface NetworkPlan {
  readonly cidr: string;
  readonly prefix: number;
  /** This computer. */
  readonly gateway: string;
  /** The control plane. */
  readonly endpoint: string;
  /** What machines get: `10.231.0.3-10.231.0.254`. */
  readonly machines: string;
}

const prefixMin = 16;
const prefixMax = 28;

/** Why text is no network that machines can share; undefined when it is one. */
export function networkProblem(cidr: string): string | undefined {
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(cidr)) return 'must be an IPv4 network such as "10.231.0.0/24"';
  const [, prefix] = ipaddr.IPv4.parseCIDR(cidr);
  if (prefix < prefixMin || prefix > prefixMax) return `must have a prefix length from ${prefixMin} to ${prefixMax}`;
  const network = ipaddr.IPv4.networkAddressFromCIDR(cidr).toString();
  return cidr === `${network}/${prefix}`
    ? undefined
    : `must begin at the network's own address: "${network}/${prefix}"`;
}

export function planNetwork(cidr: string): NetworkPlan {
  const [, prefix] = ipaddr.IPv4.parseCIDR(cidr);
  const first = numberOf(ipaddr.IPv4.networkAddressFromCIDR(cidr));
  const last = numberOf(ipaddr.IPv4.broadcastAddressFromCIDR(cidr));
  return {
    cidr,
    prefix,
    gateway: textOf(first + 1),
    endpoint: textOf(first + 2),
    machines: `${textOf(first + 3)}-${textOf(last - 1)}`,
  };
}

/** The first /24 of 10.231.0.0/16 that none of the others lies in or around. */
export function chooseNetwork(isFree: (cidr: string) => boolean): string | undefined {
  for (let third = 0; third < 256; third += 1) {
    const cidr = `10.231.${third}.0/24`;
    if (isFree(cidr)) return cidr;
  }
  return undefined;
}

function numberOf(address: ipaddr.IPv4): number {
  return address.octets.reduce((total, octet) => total * 256 + octet, 0);
}

function textOf(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}
