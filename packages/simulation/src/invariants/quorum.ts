import { clusters } from '@slipway/cluster-api';
import type { ObjectStore } from '@slipway/apiserver';
import { kubeadmControlPlanes } from '@slipway/kubeadm';
import { Violation } from '../report/violation.js';
import { namespace } from '../objects/names.js';
import type { Infrastructure } from '../providers/infrastructure.js';
import { isDeleting, partOf } from '../objects/object-fields.js';

/** Time after a machine failure in which a removal that was decided before the failure may still be executed. */
const surpriseMs = 60_000;

/** Checks that no change by a controller breaks the etcd quorum of a cluster, unless the cluster is being deleted. */
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

  /** `storeOf` returns the store that contains the objects of a cluster, or undefined while its server is down. */
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
      if (mayLoseQuorum(store, name) || nowMs - (this.#failures.get(name) ?? Number.NEGATIVE_INFINITY) < surpriseMs)
        continue;
      const members = workload.etcd.members.map((member) => member.name).join(', ');
      throw new Violation('etcd keeps its quorum', `${name} has lost its quorum; its members are ${members}`);
    }
  }
}

/**
 * Returns true if the cluster is being deleted or was never initialized. Without initialization its first machine may be created
 * again.
 */
function mayLoseQuorum(store: ObjectStore, name: string): boolean {
  return [clusters, kubeadmControlPlanes].some(({ group, plural }) => {
    const found = store.get({ resource: `${group}/${plural}`, namespace, name });
    if (found === undefined || isDeleting(found.object)) return true;
    const { initialization } = partOf<{ initialization?: { controlPlaneInitialized?: boolean } }>(
      found.object,
      'status',
    );
    return initialization?.controlPlaneInitialized !== true;
  });
}
