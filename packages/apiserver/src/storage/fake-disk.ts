import { sleep } from '@slipway/base';
import type { Clock, Random } from '@slipway/base';

type Operation =
  | { readonly kind: 'append'; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly length: number };

/** Faults to inject. May be changed at any time. */
export interface DiskFaults {
  /** Duration of a flush, on the disk's clock. */
  syncLatencyMs: number;
  /** Probability that a flush fails. The data of a failed flush may or may not survive a crash. */
  syncFailure: number;
  /** Capacity of the disk. */
  capacityBytes: number;
}

/**
 * One file on a simulated disk. A crash loses the unflushed writes after a random point, and the write at that point
 * may be torn. Randomness comes from `random` and time from `clock`, so that a seed reproduces a run.
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

  /** Opens the file for one simulated process. A crash ends that process and invalidates the handle. */
  open(): DiskFile {
    const life = this.#life;
    const alive = (): void => {
      if (life !== this.#life) throw new Error('the simulated host has crashed');
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

  /** Simulates a power loss. Open handles become unusable. */
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
    // A full disk writes the part that still fits, like write(2).
    const written = Buffer.from(bytes.subarray(0, Math.max(0, Math.min(room, bytes.length))));
    this.#unsynced.push({ kind: 'append', bytes: written });
    this.#length += written.length;
    if (written.length < bytes.length) throw noSpace();
  }

  /**
   * Returns what a torn write leaves: its tail is missing, or is zeros if the new file length reached the disk before the data.
   */
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

  /** Replaces the file atomically: a new file is written, flushed and renamed over the old one. */
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
