import type { Frozen } from '@slipway/kube';
import type { Secret } from '@slipway/runtime';

/** Time passes for certificates also while nobody changes them. */
const freshMs = 3_600_000;
/** More control planes than one process looks after; past it the oldest are checked once more. */
const entriesMax = 100_000;

interface Entry {
  readonly versions: string;
  readonly checkedMs: number;
}

/** Which Secrets were found to be in order: reading keys and certificates costs more than all else in a quiet pass. */
export class CheckedSecrets {
  readonly #entries = new Map<string, Entry>();

  isFresh(subject: string, secrets: Iterable<Frozen<Secret>>, nowMs: number): boolean {
    const entry = this.#entries.get(subject);
    return entry !== undefined && nowMs - entry.checkedMs < freshMs && entry.versions === versionsOf(secrets);
  }

  note(subject: string, secrets: Iterable<Frozen<Secret>>, nowMs: number): void {
    this.#entries.delete(subject);
    this.#entries.set(subject, { versions: versionsOf(secrets), checkedMs: nowMs });
    if (this.#entries.size <= entriesMax) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

function versionsOf(secrets: Iterable<Frozen<Secret>>): string {
  return [...secrets].map(({ metadata }) => `${metadata.uid}@${metadata.resourceVersion}`).join(' ');
}
