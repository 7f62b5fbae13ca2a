import { formatCidr, formatIp, maskCidr, rangeOf, tryParseCidr } from '@slipway/kube';

/** The addresses of a network by their use. */
export interface NetworkPlan {
  readonly cidr: string;
  readonly prefix: number;
  /** The address of this host in the network. */
  readonly gateway: string;
  /** The address of the control plane endpoint. */
  readonly endpoint: string;
  /** The range of machine addresses: `10.231.0.3-10.231.0.254`. */
  readonly machines: string;
}

const prefixMin = 16;
const prefixMax = 28;

/** Returns why the text is not a valid network for machines. Undefined if it is valid. */
export function networkProblem(cidr: string): string | undefined {
  const parsed = tryParseCidr(cidr);
  if (parsed?.address.family !== 'IPv4') return 'must be an IPv4 network such as "10.231.0.0/24"';
  const { prefix } = parsed;
  if (prefix < prefixMin || prefix > prefixMax) return `must have a prefix length from ${prefixMin} to ${prefixMax}`;
  const network = formatCidr(maskCidr(parsed));
  return cidr === network ? undefined : `must start with the network address: "${network}"`;
}

export function planNetwork(cidr: string): NetworkPlan {
  const parsed = tryParseCidr(cidr);
  if (parsed === undefined) throw new Error(`${JSON.stringify(cidr)} is not a CIDR`);
  const { first, last } = rangeOf(parsed);
  const format = (value: bigint): string => formatIp({ family: 'IPv4', value });
  return {
    cidr,
    prefix: parsed.prefix,
    gateway: format(first + 1n),
    endpoint: format(first + 2n),
    machines: `${format(first + 3n)}-${format(last - 1n)}`,
  };
}

/** Returns the first free /24 of 10.231.0.0/16. */
export function chooseNetwork(isFree: (cidr: string) => boolean): string | undefined {
  for (let third = 0; third < 256; third += 1) {
    const cidr = `10.231.${third}.0/24`;
    if (isFree(cidr)) return cidr;
  }
  return undefined;
}
