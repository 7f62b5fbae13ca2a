import { sleep } from '@slipway/base';
import type { Clock, Random } from '@slipway/base';

type Operation =
  | { readonly kind: 'append'; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly length: number };

/** What goes wrong. May be changed at any time. */
export interface DiskFaults {
  /** How long a flush takes, on the disk's clock. */
  syncLatencyMs: number;
  /** The chance that a flush fails; what was to be flushed may or may not survive a crash. */
  syncFailure: number;
  /** The size at which the disk is full. */
  capacityBytes: number;
}

/**
 * One file on a disk that forgets: what was not flushed when the power goes is lost from some point on, and the write at
 * that point may be torn in the middle. All chance comes from `random`, all time from `clock`: a seed replays a run.
 */
export class FakeDisk {
  readonly faults: DiskFaults = { syncLatencyMs: 0, syncFailure: 0, capacityBytes: Number.POSITIVE_INFINITY };
  readonly #clock: Clock;
  readonly #random: Random;
  #durable: Buffer[] = [];
  #unsynced: Operation[] = [];
  #length = 0;
  #life = 0;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** The file as one process sees it; a crash ends the process. */
  open(): DiskFile {
    const life = this.#life;
    const alive = (): void => {
      if (life !== this.#life) throw new Error('the machine has crashed');
    };
    return {
      read: () => {
        alive();
        return Buffer.concat(applyAll(this.#durable, this.#unsynced));
      },
      append: (bytes) => {
        alive();
        this.#append(bytes);
      },
      truncate: (length) => {
        alive();
        this.#unsynced.push({ kind: 'truncate', length });
        this.#length = length;
      },
      sync: () => this.#sync(alive),
      replace: (bytes) => this.#replace(bytes, alive),
    };
  }

  /** The power goes. Whoever had the file open can do nothing with it any more. */
  crash(): void {
    this.#life += 1;
    const survivors = Math.floor(this.#random.next() * (this.#unsynced.length + 1));
    const torn = this.#unsynced[survivors];
    this.#durable = applyAll(this.#durable, this.#unsynced.slice(0, survivors));
    if (torn?.kind === 'append') this.#durable = [...this.#durable, this.#tear(torn.bytes)];
    this.#unsynced = [];
    this.#length = lengthOf(this.#durable);
  }

  #append(bytes: Buffer): void {
    const room = this.faults.capacityBytes - this.#length;
    // A full disk takes what still fits, as write(2) does.
    const written = Buffer.from(bytes.subarray(0, Math.max(0, Math.min(room, bytes.length))));
    this.#unsynced.push({ kind: 'append', bytes: written });
    this.#length += written.length;
    if (written.length < bytes.length) throw noSpace();
  }

  /** The beginning of a write; the rest is missing, or is zeros where the new length reached the disk before the data. */
  #tear(bytes: Buffer): Buffer {
    const written = Math.floor(this.#random.next() * bytes.length);
    if (this.#random.next() < 0.5) return bytes.subarray(0, written);
    return Buffer.from(bytes).fill(0, written);
  }

  async #sync(alive: () => void): Promise<void> {
    const covered = this.#unsynced.length;
    await this.#flushDelay();
    alive();
    if (this.#random.next() < this.faults.syncFailure) throw new Error('EIO: flush failed');
    applyTo(this.#durable, this.#unsynced.splice(0, covered));
  }

  /** A new file written beside, flushed, and renamed over the old one: there is no state in between. */
  async #replace(bytes: Buffer, alive: () => void): Promise<void> {
    if (this.#length + bytes.length > this.faults.capacityBytes) throw noSpace();
    await this.#flushDelay();
    alive();
    if (this.#random.next() < this.faults.syncFailure) throw new Error('EIO: flush failed');
    this.#durable = [Buffer.from(bytes)];
    this.#unsynced = [];
    this.#length = bytes.length;
  }

  async #flushDelay(): Promise<void> {
    if (this.faults.syncLatencyMs > 0) await sleep(this.#clock, this.faults.syncLatencyMs);
    else await Promise.resolve();
  }
}

export interface DiskFile {
  read(): Buffer;
  append(bytes: Buffer): void;
  truncate(length: number): void;
  sync(): Promise<void>;
  replace(bytes: Buffer): Promise<void>;
}

function applyAll(content: readonly Buffer[], operations: readonly Operation[]): Buffer[] {
  const result = [...content];
  applyTo(result, operations);
  return result;
}

function applyTo(content: Buffer[], operations: readonly Operation[]): void {
  for (const operation of operations) {
    if (operation.kind === 'append') content.push(operation.bytes);
    else truncate(content, operation.length);
  }
}

function truncate(content: Buffer[], length: number): void {
  let excess = lengthOf(content) - length;
  while (excess > 0) {
    const last = content.pop() as Buffer;
    if (last.length > excess) content.push(last.subarray(0, last.length - excess));
    excess -= last.length;
  }
}

function lengthOf(content: readonly Buffer[]): number {
  return content.reduce((sum, bytes) => sum + bytes.length, 0);
}

function noSpace(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
}
