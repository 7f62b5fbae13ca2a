import { createHash } from 'node:crypto';
import { runCommand } from '@slipway/base';

/** The network configuration of the pod, which the guest takes over. */
export interface PodNetwork {
  readonly interface: string;
  readonly bridge: string;
  readonly macAddress: string;
  readonly ipAddresses: readonly string[];
  readonly gateway?: string;
  readonly mtu: number;
}

interface Link {
  readonly ifname: string;
  readonly address: string;
  readonly mtu: number;
  readonly link_type: string;
  readonly addr_info: readonly { readonly family: string; readonly local: string; readonly prefixlen: number }[];
}
interface Route {
  readonly dst: string;
  readonly gateway?: string;
  readonly dev: string;
}

/** Reads the output of `ip -json` before the network of the pod is changed. */
export function podNetworkOf(links: readonly Link[], routes: readonly Route[]): PodNetwork {
  const link = links.find(({ link_type: type, addr_info: addresses }) => type !== 'loopback' && addresses.length > 0);
  if (link === undefined) throw new Error('the pod has no interface with an address');
  const gateway = routes.find(({ dst, dev }) => dst === 'default' && dev === link.ifname)?.gateway;
  return {
    interface: link.ifname,
    bridge: `br-${link.ifname}`.slice(0, interfaceNameMax),
    macAddress: link.address,
    ipAddresses: link.addr_info
      .filter(({ family }) => family === 'inet')
      .map(({ local, prefixlen }) => `${local}/${prefixlen}`),
    ...(gateway !== undefined && { gateway }),
    mtu: link.mtu,
  };
}

const interfaceNameMax = 15;

/**
 * Adds the interface of the pod to a bridge and gives its IP and MAC address to the guest, because the network outside
 * identifies the pod by both. Idempotent: an earlier launcher may have done any of the steps.
 */
export function bridgeCommands(network: PodNetwork, uuid: string): string[][] {
  const { interface: name, bridge, mtu } = network;
  const digest = createHash('sha256').update(`${uuid}/port`).digest('hex');
  const ownAddress = ['52', '54', '01', digest.slice(0, 2), digest.slice(2, 4), digest.slice(4, 6)].join(':');
  return [
    ['link', 'add', bridge, 'type', 'bridge', 'ageing_time', '0'],
    ['link', 'set', 'dev', bridge, 'mtu', String(mtu), 'up'],
    ['address', 'flush', 'dev', name],
    ['link', 'set', 'dev', name, 'address', ownAddress],
    ['link', 'set', 'dev', name, 'master', bridge],
    ['link', 'set', 'dev', name, 'up'],
  ];
}

export async function readPodNetwork(): Promise<PodNetwork> {
  const links = JSON.parse(await runCommand('ip', ['-json', 'address'])) as Link[];
  const routes = JSON.parse(await runCommand('ip', ['-json', 'route'])) as Route[];
  return podNetworkOf(links, routes);
}

export async function bridgePod(network: PodNetwork, uuid: string): Promise<void> {
  const links = JSON.parse(await runCommand('ip', ['-json', 'link'])) as Pick<Link, 'ifname'>[];
  const isThere = links.some(({ ifname }) => ifname === network.bridge);
  for (const words of bridgeCommands(network, uuid)) {
    if (isThere && words[1] === 'add') continue;
    await runCommand('ip', words);
  }
}
