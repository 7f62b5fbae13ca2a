import { hostname } from 'node:os';
import type { MachineAddress, VmCondition, VmReport } from '../machine/vm-service.js';
import { type KVMReason, kvmConditions } from '../api/index.js';
import { wait } from '@slipway/runtime';
import type { DesiredMachine } from '../machine/vm-service.js';
import { MachineProblem } from './errors.js';
import { apiServerPortOf, internalAddresses } from './plan-machine.js';
import type { MachineFiles } from './layout.js';
import type { MachineRecord, MachineState } from './machine-record.js';

const order = [kvmConditions.imageReady, kvmConditions.disksReady, kvmConditions.vmProvisioned] as const;

export function holds(type: string, reason: string, message = ''): VmCondition {
  return { type, status: 'True', reason, message };
}

export function fails(type: string, reason: KVMReason, message: string): VmCondition {
  return { type, status: 'False', reason, message };
}

/** Conditions of a machine whose image and disks exist. */
export const preparedConditions: readonly VmCondition[] = [
  holds(kvmConditions.imageReady, 'Ready'),
  holds(kvmConditions.disksReady, 'Ready'),
];

/** Interval at which a failed machine is retried: no event reports that a file was added, a program installed or space freed. */
const pollMs = 10_000;

/** Returns the report of a machine that cannot be created or started, with the conditions that it has reached. */
export function problemReport(problem: MachineProblem): VmReport {
  const { condition, reason, message } = problem;
  const reached = order.slice(0, Math.max(0, order.indexOf(condition as (typeof order)[number])));
  return {
    state: 'pending',
    conditions: [...reached.map((type) => holds(type, 'Ready')), fails(condition, reason, message)],
    addresses: [],
    outcome: wait({ ms: pollMs, reason, message }),
  };
}

export function addressesOfMachine(desired: DesiredMachine): MachineAddress[] {
  const name = desired.kvmMachine.metadata.name ?? '';
  return [
    ...internalAddresses(desired).map((address): MachineAddress => ({ type: 'InternalIP', address })),
    { type: 'Hostname', address: name },
    { type: 'InternalDNS', address: name },
  ];
}

export interface VmFacts {
  readonly pid?: number;
  readonly qemuVersion?: string;
}

export function vmOf(
  desired: DesiredMachine,
  files: MachineFiles,
  { qemu }: MachineRecord,
  state: MachineState,
  facts: VmFacts,
): NonNullable<VmReport['vm']> {
  const forwards = qemu.interfaces.flatMap((each) => (each.type === 'user' ? each.forwards : []));
  const started = state.starts.at(-1);
  const apiServerPort = apiServerPortOf(desired);
  const forwarded = forwards.find(({ guestPort }) => guestPort === apiServerPort)?.hostPort;
  const direct = internalAddresses(desired)[0];
  const apiServer =
    forwarded === undefined ? direct && { host: direct, port: apiServerPort } : { host: '127.0.0.1', port: forwarded };
  return {
    ...facts,
    host: hostname(),
    accelerator: qemu.accelerator,
    cpus: qemu.cpus,
    memoryMiB: qemu.memoryMiB,
    boots: state.boots,
    ...(started !== undefined && { startTime: new Date(started).toISOString().replace(/\.\d+Z$/, 'Z') }),
    consolePath: files.console,
    ...(desired.isControlPlane && apiServer && { apiServer }),
    ...(forwards.length > 0 && {
      portForwards: forwards.map(({ guestPort, hostPort }) => ({ guestPort, host: '127.0.0.1', port: hostPort })),
    }),
  };
}
