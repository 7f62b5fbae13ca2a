import { leases, type Resource } from '@slipway/runtime';
import { Violation } from '../run/violation.js';
import { leaseKey } from '../world/names.js';
import type { CarriedOut } from '../world/process-client.js';
import { partOf } from '../world/state.js';

/** Only the leader writes: the server takes nothing from a manager once another one holds the lease. */
export class Leadership {
  /** Who held the lease from which revision on. */
  readonly #holders: { readonly revision: number; readonly holder: string }[] = [];

  carriedOut(write: CarriedOut): void {
    const revision = Number(write.object?.metadata.resourceVersion ?? Number.NaN);
    if (isLease(write)) {
      const { holderIdentity = '' } = partOf<{ holderIdentity?: string }>(write.object as never, 'spec');
      if (this.#holders.at(-1)?.holder !== holderIdentity) this.#holders.push({ revision, holder: holderIdentity });
      return;
    }
    if (!write.process.startsWith('manager') || !write.isChange) return;
    const last = this.#holders.findLast((entry) => Number.isNaN(revision) || entry.revision <= revision);
    if (last === undefined || last.holder === write.process) return;
    const { kind } = write.resource;
    throw new Violation(
      'only the leader writes',
      `${write.process} did ${write.verb} ${kind} ${write.key.name} while ${last.holder} held the lease`,
    );
  }
}

function isLease({ resource, key, object }: CarriedOut): boolean {
  const isOurs = key.namespace === leaseKey.namespace && key.name === leaseKey.name;
  return object !== undefined && isOurs && resource.plural === (leases as Resource).plural;
}
