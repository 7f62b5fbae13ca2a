import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, CommandError, endProcess, runCommand } from '@slipway/base';
import type { NetworkSpec } from '../engine/index.js';
import { modifiedMs } from './machines.js';
import { mountsBelow, unmountBelow } from './mounts.js';
import { overlappingRoute } from './routes.js';
import { readProcess } from './process.js';

export interface NetworksOptions {
  /** The directory that contains a directory for each network. */
  readonly folder: string;
  readonly clock: Clock;
}

/**
 * Manages the networks of machines: a bridge in a separate network namespace, which a file in the data directory keeps alive, and
 * one interface of this host on the bridge. Traffic between machines does not pass the firewall of the host.
 */
export class Networks {
  constructor(private readonly options: NetworksOptions) {}

  switchOf(id: string): string {
    return join(this.directoryOf(id), 'namespace');
  }

  directoryOf(id: string): string {
    return join(this.options.folder, id);
  }

  async conflictingRoute({ id, cidr }: NetworkSpec): Promise<string | undefined> {
    const routes: unknown = JSON.parse(await runCommand('ip', ['-json', '-4', 'route', 'show', 'table', 'all']));
    return overlappingRoute(routes, cidr, interfaceOf(id));
  }

  /** Whether all parts of the network exist. */
  async isUp({ id, cidr, gateway, endpoint }: NetworkSpec): Promise<boolean> {
    const file = this.switchOf(id);
    if ((await mountsBelow(file)).length === 0) return false;
    const prefix = cidr.split('/')[1] ?? '';
    const inside = await linksOf('nsenter', [`--net=${file}`, 'ip']);
    return (
      hasAddress(inside, 'switch', `${endpoint.host}/${prefix}`) &&
      inside.some(({ ifname, master }) => ifname === 'uplink' && master === 'switch') &&
      hasAddress(await linksOf('ip', []), interfaceOf(id), `${gateway}/${prefix}`)
    );
  }

  /** Whether the network exists, by its directory, which is created first and deleted last. */
  async has(id: string): Promise<boolean> {
    return (await modifiedMs(this.directoryOf(id))) !== undefined;
  }

  async ensure(network: NetworkSpec): Promise<void> {
    const { id, cidr, gateway, endpoint } = network;
    const prefix = cidr.split('/')[1] ?? '';
    const file = this.switchOf(id);
    await mkdir(this.directoryOf(id), { recursive: true, mode: 0o700 });
    if ((await mountsBelow(file)).length === 0) {
      await writeFile(file, '');
      await runCommand('unshare', [`--net=${file}`, 'true']);
    }
    const inside = (...args: string[]): Promise<string> => runCommand('nsenter', [`--net=${file}`, 'ip', ...args]);
    if (!(await isThere(inside('link', 'show', 'dev', 'switch'))))
      await inside('link', 'add', 'switch', 'type', 'bridge');
    await inside('link', 'set', 'lo', 'up');
    await inside('link', 'set', 'switch', 'up');
    await inside('address', 'replace', `${endpoint.host}/${prefix}`, 'dev', 'switch');
    const name = interfaceOf(id);
    if (!(await isThere(runCommand('ip', ['link', 'show', 'dev', name]))))
      await runCommand('ip', ['link', 'add', name, 'type', 'veth', 'peer', 'name', 'uplink', 'netns', file]);
    await inside('link', 'set', 'uplink', 'master', 'switch', 'up');
    await runCommand('ip', ['address', 'replace', `${gateway}/${prefix}`, 'dev', name]);
    await runCommand('ip', ['link', 'set', name, 'up']);
  }

  async remove(id: string): Promise<void> {
    const directory = this.directoryOf(id);
    const balancer = await readProcess(directory);
    if (balancer !== undefined) await endProcess(balancer, this.options.clock);
    const name = interfaceOf(id);
    if (await isThere(runCommand('ip', ['link', 'show', 'dev', name])))
      await runCommand('ip', ['link', 'delete', name]);
    await unmountBelow(directory);
    await rm(directory, { recursive: true, force: true });
  }
}

interface Link {
  readonly ifname: string;
  readonly flags: readonly string[];
  readonly master?: string;
  readonly addr_info?: readonly { readonly local?: string; readonly prefixlen?: number }[];
}

async function linksOf(program: string, args: readonly string[]): Promise<readonly Link[]> {
  return JSON.parse(await runCommand(program, [...args, '-json', 'address', 'show'])) as readonly Link[];
}

function hasAddress(links: readonly Link[], name: string, address: string): boolean {
  const link = links.find(({ ifname }) => ifname === name);
  if (link?.flags.includes('UP') !== true) return false;
  return link.addr_info?.some(({ local = '', prefixlen = 0 }) => `${local}/${prefixlen}` === address) === true;
}

/** Returns the interface name of a network. Names have at most fifteen characters. */
function interfaceOf(id: string): string {
  return `slw${createHash('sha256').update(id).digest('hex').slice(0, 10)}`;
}

async function isThere(looking: Promise<unknown>): Promise<boolean> {
  try {
    await looking;
    return true;
  } catch (error) {
    if (error instanceof CommandError && error.code === 1) return false;
    throw error;
  }
}
