import { type ChangeRecord, leases } from '@slipway/runtime';
import { Violation } from '../report/violation.js';
import type { ExecutedWrite } from '../processes/process-client.js';

const validReason = /^[A-Z][A-Za-z0-9]*$/;

/**
 * Checks that every write of a controller is recorded as a change with a reason: for each write whose response has reached the
 * process, the change feed of the process has one record with the result `ok`, or `unchanged` if nothing differed. A lost
 * response leaves a record with the result `failed`, and a process that died before the response arrived leaves none. Leases of
 * the leader election are ignored: controllers do not write them.
 */
export class RecordedChanges {
  /** Number of responses minus number of records, by process and kind. Kinds without a difference have no entry. */
  readonly #differences = new Map<string, number>();

  answered({ process, resource }: ExecutedWrite): void {
    if (resource.kind !== leases.kind) this.#add(`${process} ${resource.kind}`, 1);
  }

  recorded(process: string, record: ChangeRecord): void {
    const { controller, verb, object, cluster, reason, message, result, dryRun } = record;
    // The reason of an Event may have any format, because users know some reasons from an older product.
    const isExplained = object.kind === 'Event' ? reason !== '' : validReason.test(reason) && message !== '';
    if (!isExplained)
      throw new Violation(
        'every write is a recorded change',
        `${controller} of ${process} did ${verb} ${object.kind} ${object.name} with reason "${reason}" and message "${message}"`,
      );
    if (verb === 'call' || cluster !== undefined || result === 'failed' || dryRun || object.kind === leases.kind)
      return;
    this.#add(`${process} ${object.kind}`, -1);
  }

  /** Call only when every process is idle: then every response has its record, because no time passes between the two. */
  check(): void {
    if (this.#differences.size === 0) return;
    const found = [...this.#differences].map(([subject, difference]) =>
      difference > 0
        ? `${subject}: ${difference} writes without a record`
        : `${subject}: ${-difference} records too many`,
    );
    throw new Violation('every write is a recorded change', found.join('\n'));
  }

  #add(subject: string, amount: number): void {
    const difference = (this.#differences.get(subject) ?? 0) + amount;
    if (difference === 0) this.#differences.delete(subject);
    else this.#differences.set(subject, difference);
  }
}
