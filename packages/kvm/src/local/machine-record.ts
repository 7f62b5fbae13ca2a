import type { ObjectKey } from '@slipway/runtime';
import type { QemuMachine } from '../qemu/index.js';
import type { SeedFacts } from '../seed/index.js';
import { type MachineFiles, readJson, replaceFile } from './layout.js';

/**
 * Description of a created machine, written when all of its files exist and before the first start. A machine without a record
 * has never run, so its leftover files are created again.
 */
export interface MachineRecord {
  /** The KVMMachine that last owned the machine. A move may change the owner, never the machine. */
  readonly key: ObjectKey;
  readonly qemu: QemuMachine;
  readonly facts: SeedFacts;
  readonly format: 'cloud-config' | 'ignition';
  /** Images in the image store, which are kept as long as a record refers to them. */
  readonly images: readonly string[];
  readonly memoryLimitBytes: number;
  readonly cpuQuotaMilli?: number;
  /** Why the machine does not use KVM although `spec.accelerator` is auto. */
  readonly slowBecause?: string;
  readonly bridge?: string;
}

/** Mutable state of the machine. */
export interface MachineState {
  /** Times of recent starts, in ms since the epoch. */
  readonly starts: readonly number[];
  /** Number of starts and resets. */
  readonly boots: number;
  readonly lastExit?: string;
  readonly isBootstrapped?: boolean;
  readonly shutdownRequestedAtMs?: number;
}

const untouched: MachineState = { starts: [], boots: 0 };

export function readRecord(files: MachineFiles): Promise<MachineRecord | undefined> {
  return readJson<MachineRecord>(files.record);
}

export async function readState(files: MachineFiles): Promise<MachineState> {
  return (await readJson<MachineState>(files.state)) ?? untouched;
}

export function writeRecord(files: MachineFiles, record: MachineRecord): Promise<void> {
  return replaceFile(files.record, JSON.stringify(record));
}

export function writeState(files: MachineFiles, state: MachineState): Promise<void> {
  return replaceFile(files.state, JSON.stringify(state));
}
