import { bitsOf, type IpFamily, tryParseIp } from '@slipway/kube';
import type { PoolAddresses } from './metadata.js';

/** An address that was allocated to a claim. */
export interface ClaimedAddress {
  readonly address: string;
  readonly prefix?: number;
  readonly gateway?: string;
}

export interface PooledDevice {
  readonly index: number;
  readonly mac: string;
  readonly claimed: readonly ClaimedAddress[];
  readonly gateway4?: string;
  readonly gateway6?: string;
}

/** Returns the IPAM addresses of a machine's devices by MAC address, or all problems with them. */
export function mergePoolAddresses(
  devices: readonly PooledDevice[],
): { readonly pools: ReadonlyMap<string, PoolAddresses> } | { readonly problems: readonly string[] } {
  const problems: string[] = [];
  const pools = new Map<string, PoolAddresses>();
  for (const device of devices) {
    if (device.claimed.length > 0) pools.set(device.mac, mergeDevice(device, problems));
  }
  return problems.length > 0 ? { problems } : { pools };
}

function mergeDevice(device: PooledDevice, problems: string[]): PoolAddresses {
  const addresses: string[] = [];
  const gateways: { IPv4?: string; IPv6?: string } = {};
  const where = `device ${device.index} (${device.mac})`;
  for (const { address, prefix, gateway = '' } of device.claimed) {
    const family = tryParseIp(address)?.family;
    if (family === undefined) {
      problems.push(`${where}: invalid IP address ${JSON.stringify(address)}`);
      continue;
    }
    const text = `${address}/${prefix ?? bitsOf[family]}`;
    if (addresses.includes(text)) problems.push(`${where}: ${text} was allocated from two pools`);
    addresses.push(text);
    if (gateway === '') continue;
    const problem = gatewayProblem(device, family, gateway, gateways[family]);
    if (problem === undefined) gateways[family] = gateway;
    else problems.push(`${where}: ${problem}`);
  }
  return { addresses, gateway4: gateways.IPv4, gateway6: gateways.IPv6 };
}

function gatewayProblem(
  device: PooledDevice,
  family: IpFamily,
  gateway: string,
  earlier: string | undefined,
): string | undefined {
  const parsed = tryParseIp(gateway);
  if (parsed === undefined) return `invalid gateway ${JSON.stringify(gateway)}`;
  if (parsed.family !== family) return `gateway ${gateway} has another IP family than its address`;
  const own = family === 'IPv4' ? device.gateway4 : device.gateway6;
  if (own !== undefined && own !== '' && own !== gateway) {
    return `gateway ${gateway} of the pool differs from gateway ${own} of the device`;
  }
  if (earlier !== undefined && earlier !== gateway) return `pools have different gateways, ${earlier} and ${gateway}`;
  return undefined;
}
