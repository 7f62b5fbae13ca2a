import { clusterKeyOf } from '@slipway/cluster-api';
import { leases, shardOf } from '@slipway/runtime';
import { Violation } from '../report/violation.js';
import { leaseKey } from '../objects/names.js';
import type { ExecutedWrite } from '../processes/process-client.js';
import { clusterLabel, partOf } from '../objects/object-fields.js';

interface Term {
  readonly revision: number;
  readonly holder: string;
}

/**
 * Checks that only the leader writes: the server accepts no write of a manager after another manager has acquired the lease. With
 * shards, each shard has its own lease, and an object belongs to the shard of its cluster.
 */
export class Leadership {
  /** Holders of each lease, with the revision at which each acquired it. */
  readonly #terms = new Map<string, Term[]>();
  /**
   * Objects that had a cluster label in an earlier write. Before its first write with the label, an object has its own shard key.
   */
  readonly #labelled = new Set<string>();

  constructor(private readonly shards: number) {}

  executed(write: ExecutedWrite): void {
    const revision = Number(write.object?.metadata.resourceVersion ?? Number.NaN);
    if (isLease(write)) {
      const { holderIdentity = '' } = partOf<{ holderIdentity?: string }>(write.object as never, 'spec');
      const terms = this.#terms.get(write.key.name) ?? [];
      this.#terms.set(write.key.name, terms);
      if (terms.at(-1)?.holder !== holderIdentity) terms.push({ revision, holder: holderIdentity });
      return;
    }
    if (!write.process.startsWith('manager') || !write.isChange) return;
    const terms = this.#terms.get(this.#leaseOf(write) ?? '');
    const last = terms?.findLast((entry) => Number.isNaN(revision) || entry.revision <= revision);
    if (last === undefined || last.holder === write.process) return;
    const { kind } = write.resource;
    throw new Violation(
      'only the leader writes',
      `${write.process} did ${write.verb} ${kind} ${write.key.name} while ${last.holder} held the lease`,
    );
  }

  #leaseOf({ object, resource, key }: ExecutedWrite): string | undefined {
    if (this.shards === 0) return leaseKey.name;
    if (object === undefined || (resource.kind !== 'Cluster' && clusterLabel(object) === undefined)) return undefined;
    const text = `${resource.kind} ${key.name}`;
    const isKnown = resource.kind === 'Cluster' || this.#labelled.has(text);
    this.#labelled.add(text);
    return isKnown ? `${leaseKey.name}-shard-${shardOf(clusterKeyOf(object), this.shards)}` : undefined;
  }
}

function isLease({ resource, key, object }: ExecutedWrite): boolean {
  const isOurs = key.namespace === leaseKey.namespace && key.name.startsWith(leaseKey.name);
  return object !== undefined && isOurs && resource.plural === leases.plural;
}
