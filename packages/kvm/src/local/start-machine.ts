import { mkdir } from 'node:fs/promises';
import { CommandError, runCommand } from '@slipway/base';
import { type PortForward, qemuArguments, type QemuInterface, runningQemu, SocketPathTooLong } from '../qemu/index.js';
import { limitProcess } from './cgroup.js';
import { MachineProblem } from './errors.js';
import type { MachineFiles } from './layout.js';
import { type MachineRecord, writeRecord } from './machine-record.js';
import { freePort, isPortFree, portTaken } from './ports.js';
import { ensureTap } from './taps.js';
import { findQemu } from './requirements.js';

const portAttempts = 3;

export interface Started {
  /** False if a process of this machine was already running. */
  readonly isNew: boolean;
  /** Why QEMU runs without limits on memory and CPU time. */
  readonly unlimitedBecause?: string;
}

/**
 * Starts QEMU with the guest paused. QEMU detaches when it is ready. It locks its pid file and disks, so that a second
 * process for the same machine exits immediately.
 */
export async function startMachine(files: MachineFiles, record: MachineRecord): Promise<Started> {
  const { system } = await findQemu();
  await mkdir(files.runDirectory, { recursive: true, mode: 0o700 });
  for (const each of record.qemu.interfaces) if (each.type === 'tap') await ensureTap(each.name, record.bridge ?? '');
  let current = record;
  for (let attempt = 1; ; attempt += 1) {
    const failure = await launch(system, current);
    if (failure === undefined) break;
    if (/Cannot lock pid file|Failed to get "?write"? lock|Is another process using the image/.test(failure))
      return { isNew: false };
    if (!/[Cc]ould not set up host forwarding rule/.test(failure) || attempt === portAttempts)
      throw startProblem(failure);
    current = await withOtherPorts(current);
    await writeRecord(files, current);
  }
  const qemu = await runningQemu(files.pid, record.qemu.uuid);
  if (qemu === undefined) return { isNew: true };
  const unlimitedBecause = await limitProcess(record.qemu.uuid, qemu.pid, {
    memoryBytes: record.memoryLimitBytes,
    ...(record.cpuQuotaMilli !== undefined && { cpuQuotaMilli: record.cpuQuotaMilli }),
  });
  return { isNew: true, ...(unlimitedBecause !== undefined && { unlimitedBecause }) };
}

async function launch(system: string, { qemu }: MachineRecord): Promise<string | undefined> {
  try {
    await runCommand(system, qemuArguments(qemu), { timeoutMs: 30_000, cwd: '/' });
    return undefined;
  } catch (error) {
    if (error instanceof SocketPathTooLong) throw new MachineProblem('VMProvisioned', 'InvalidSpec', error.message);
    if (error instanceof CommandError) return error.output;
    throw error;
  }
}

function startProblem(failure: string): MachineProblem {
  if (/[Cc]annot (?:allocate memory|set up guest memory)/.test(failure))
    return new MachineProblem(
      'VMProvisioned',
      'InsufficientCapacity',
      `this host does not have enough memory for the machine: ${failure}`,
    );
  return new MachineProblem('VMProvisioned', 'StartFailed', `failed to start QEMU: ${failure}`);
}

/** Replaces forwarded ports that another process has taken since they were chosen. */
async function withOtherPorts(record: MachineRecord): Promise<MachineRecord> {
  const interfaces: QemuInterface[] = [];
  for (const each of record.qemu.interfaces) {
    if (each.type !== 'user') {
      interfaces.push(each);
      continue;
    }
    const forwards: PortForward[] = [];
    for (const forward of each.forwards) {
      if (forward.isGiven && !(await isPortFree(forward.hostPort))) throw portTaken(forward.hostPort);
      forwards.push(forward.isGiven ? forward : { ...forward, hostPort: await freePort() });
    }
    interfaces.push({ ...each, forwards });
  }
  return { ...record, qemu: { ...record.qemu, interfaces } };
}
