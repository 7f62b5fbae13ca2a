import { clusters } from '@slipway/cluster-api';
import type { ObjectStore } from '@slipway/apiserver';
import { kubeadmControlPlanes } from '@slipway/kubeadm';
import { Violation } from '../run/violation.js';
import { namespace } from '../world/names.js';
import type { Infrastructure } from '../world/infrastructure.js';
import { isGoing, partOf } from '../world/state.js';

/** While a machine has only just failed, a removal that was decided before may meet it: nobody could have known. */
const surpriseMs = 60_000;

/** Never does an action of ours take a cluster's etcd its quorum, unless the cluster is to go. */
export class Quorum {
  readonly #hadQuorum = new Set<string>();
  readonly #failures = new Map<string, number>();

  constructor(
    private readonly infrastructure: Infrastructure,
    private readonly names: readonly string[],
  ) {}

  machineFailed(name: string, atMs: number): void {
    this.#failures.set(name, atMs);
  }

  /** `storeOf`: where the objects of a cluster are, while that server runs. */
  check(storeOf: (name: string) => ObjectStore | undefined, nowMs: number): void {
    for (const name of this.names) {
      const workload = this.infrastructure.get({ namespace, name });
      if (workload?.etcd.hasQuorum === true) {
        this.#hadQuorum.add(name);
        continue;
      }
      if (!this.#hadQuorum.delete(name) || workload === undefined) continue;
      const store = storeOf(name);
      if (store === undefined) continue;
      if (isMeantToGo(store, name) || nowMs - (this.#failures.get(name) ?? Number.NEGATIVE_INFINITY) < surpriseMs)
        continue;
      const members = workload.etcd.members.map((member) => member.name).join(', ');
      throw new Violation('etcd keeps its quorum', `${name} has lost it; its members are ${members}`);
    }
  }
}

/** It is being deleted, or was never seen to work: then its first machine may be made again. */
function isMeantToGo(store: ObjectStore, name: string): boolean {
  return [clusters, kubeadmControlPlanes].some(({ group, plural }) => {
    const found = store.get({ resource: `${group}/${plural}`, namespace, name });
    if (found === undefined || isGoing(found.object)) return true;
    const { initialization } = partOf<{ initialization?: { controlPlaneInitialized?: boolean } }>(
      found.object,
      'status',
    );
    return initialization?.controlPlaneInitialized !== true;
  });
}
