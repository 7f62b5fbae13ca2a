import type { Frozen } from '@slipway/kube';
import type { Sources } from '@slipway/runtime';
import { type HostCluster, hostClusters } from '../api/index.js';
import { overlap } from '../linux/index.js';
import { chooseNetwork } from './network-plan.js';

/** A network that neither another cluster nor this computer uses. */
export async function chooseCidr(
  sources: Sources,
  hostCluster: Frozen<HostCluster>,
  conflictIn: (cidr: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const taken: string[] = [];
  // Once in the life of a cluster, and there are few on one computer.
  for (const other of sources.sourceFor(hostClusters).list()) {
    const { cidr } = other.spec?.network ?? {};
    if (cidr !== undefined && other.metadata.uid !== hostCluster.metadata.uid) taken.push(cidr);
  }
  for (;;) {
    const cidr = chooseNetwork((free) => !taken.some((other) => overlap(free, other)));
    if (cidr === undefined || (await conflictIn(cidr)) === undefined) return cidr;
    taken.push(cidr);
  }
}
