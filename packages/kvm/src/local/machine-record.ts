import type { ObjectKey } from '@slipway/runtime';
import type { QemuMachine } from '../qemu/index.js';
import type { SeedFacts } from '../seed/index.js';
import { type MachineFiles, readJson, replaceFile } from './layout.js';

/**
 * What the machine is, written when all of its files are there and before it is first started. As long as there is none,
 * nothing has run, and whatever lies about is made anew.
 */
export interface MachineRecord {
  /** The object that wanted it last: a move may rename what owns it, never the machine. */
  readonly key: ObjectKey;
  readonly qemu: QemuMachine;
  readonly facts: SeedFacts;
  readonly format: 'cloud-config' | 'ignition';
  /** Of the image store: kept as long as a record names them. */
  readonly images: readonly string[];
  readonly memoryLimitBytes: number;
  readonly cpuQuotaMilli?: number;
  /** Why it is not KVM, if nobody asked for something else. */
  readonly slowBecause?: string;
  readonly bridge?: string;
}

/** What has happened to it. */
export interface MachineState {
  /** When it was switched on, lately; ms since the epoch. */
  readonly starts: readonly number[];
  /** How often it was switched on or reset. */
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
