import { access, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { runCommand } from '@slipway/base';

const programs: Readonly<Record<string, string>> = {
  ip: 'iproute2',
  unshare: 'util-linux',
  nsenter: 'util-linux',
  mount: 'util-linux',
  umount: 'util-linux',
  pivot_root: 'util-linux',
  tar: 'tar',
};

export interface HostFacts {
  readonly platform: string;
  /** Undefined on systems without user IDs. */
  readonly userId: number | undefined;
  readonly hasProgram: (name: string) => Promise<boolean>;
  readonly fileSystems: () => Promise<string>;
  /** Loads nftables rules in a temporary network namespace. Rejects if the kernel does not accept them. */
  readonly tryRules: (rules: string) => Promise<unknown>;
}

export const thisHost: HostFacts = {
  platform: process.platform,
  userId: process.getuid?.(),
  hasProgram: (name) => isOnPath(name, process.env['PATH'] ?? ''),
  fileSystems: () => readFile('/proc/filesystems', 'utf8'),
  tryRules: (rules) => runCommand('unshare', ['--net', 'nft', rules]),
};

/** The nftables features that kube-proxy needs: address translation, and maps from an address to a chain. */
const kubeProxyRules = [
  'add table ip slipway',
  'add chain ip slipway service',
  'add rule ip slipway service meta l4proto tcp dnat to 192.0.2.1:80',
  'add map ip slipway services { type ipv4_addr . inet_proto . inet_service : verdict ; }',
  'add chain ip slipway postrouting { type nat hook postrouting priority 100 ; }',
  'add rule ip slipway postrouting ip daddr . meta l4proto . th dport vmap @services',
  'add rule ip slipway postrouting masquerade fully-random',
].join('; ');

/** Returns why kube-proxy cannot run on a host, with the remedy. Undefined if it can. */
export async function kubeProxyProblemOf(
  host: Pick<HostFacts, 'hasProgram' | 'tryRules'>,
): Promise<string | undefined> {
  if (!(await host.hasProgram('nft'))) return 'kube-proxy requires the program nft: install nftables';
  try {
    await host.tryRules(kubeProxyRules);
    return undefined;
  } catch (error) {
    const [cause = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return `kube-proxy requires nftables with NAT, but the kernel of this host rejects its rules (${cause}): load the modules nf_tables and nft_nat, or add addon/kube-proxy to skipPhases of the initConfiguration`;
  }
}

/** Returns the unmet requirements of a host, each as a sentence with its remedy. */
export async function problemsOf(host: HostFacts): Promise<readonly string[]> {
  if (host.platform !== 'linux') return [`HostMachines require Linux, but this host runs ${host.platform}`];
  const problems: string[] = [];
  if (host.userId !== 0) problems.push('Linux namespaces and mounts require root: run `slipway up` as root');
  for (const [name, packageName] of Object.entries(programs))
    if (!(await host.hasProgram(name))) problems.push(`the program ${name} is missing: install ${packageName}`);
  const fileSystems = new Set((await host.fileSystems()).split(/\s+/));
  if (!fileSystems.has('overlay')) problems.push('the kernel does not support overlayfs: load the module overlay');
  return problems;
}

async function isOnPath(name: string, path: string): Promise<boolean> {
  const folders = [...path.split(delimiter), '/usr/sbin', '/sbin'];
  for (const folder of folders) {
    try {
      await access(join(folder, name));
      return true;
    } catch {
      // Try the next directory.
    }
  }
  return false;
}
