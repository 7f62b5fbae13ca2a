import { aggregateV1beta1Ready, isDeleting } from '@slipway/cluster-api';
import {
  getV1beta1Condition,
  isConditionTrue,
  summarizeV1beta1,
  type V1beta1Condition,
  type V1beta1Conditioned,
} from '@slipway/runtime';
import { isInitialized, type MachineView, type ObservedControlPlane } from './control-plane.js';

type NewCondition = Omit<V1beta1Condition, 'lastTransitionTime'>;

const summarized = [
  'MachinesCreated',
  'MachinesSpecUpToDate',
  'Resized',
  'MachinesReady',
  'Available',
  'CertificatesAvailable',
];

/** The conditions of the old style that follow from the machines, and Ready, which sums all of them up. */
export function deprecatedConditions(
  controlPlane: ObservedControlPlane,
  machines: readonly MachineView[],
  replicas: number,
): NewCondition[] {
  const own = [
    ...machinesReady(machines),
    ...(isDeleting(controlPlane) ? [] : [...sizeConditions(machines, replicas), ...available(controlPlane)]),
    ...upToDate(controlPlane, machines),
  ];
  const ready = summarizeV1beta1(withConditions(controlPlane, own), { types: summarized });
  return ready === undefined ? own : [...own, { type: 'Ready', ...ready }];
}

function withConditions(controlPlane: ObservedControlPlane, own: readonly NewCondition[]): V1beta1Conditioned {
  const kept = (controlPlane.status?.deprecated?.v1beta1?.conditions ?? []) as readonly V1beta1Condition[];
  const others = kept.filter(({ type }) => own.every((each) => each.type !== type));
  const conditions = [...others, ...own.map((each) => ({ ...each, lastTransitionTime: '' }))];
  return { status: { deprecated: { v1beta1: { conditions } } } };
}

function machinesReady(machines: readonly MachineView[]): NewCondition[] {
  const ready = aggregateV1beta1Ready(
    machines.map(({ machine }) => machine as Parameters<typeof aggregateV1beta1Ready>[0][number]),
  );
  return ready === undefined ? [] : [{ type: 'MachinesReady', ...ready }];
}

function sizeConditions(machines: readonly MachineView[], replicas: number): NewCondition[] {
  const resized = { type: 'Resized', status: 'False', severity: 'Warning' } as const;
  const created: NewCondition = { type: 'MachinesCreated', status: 'True' };
  const count = machines.length;
  const told = (direction: string): string =>
    `Scaling ${direction} control plane to ${replicas} replicas (actual ${count})`;
  if (count < replicas) return [{ ...resized, reason: 'ScalingUp', message: told('up') }];
  if (count > replicas) return [{ ...resized, reason: 'ScalingDown', message: told('down') }, created];
  // Done when the machines run, not when they were made.
  const isDone = machines.every(({ machine }) => isConditionTrue(machine, 'Ready'));
  return [...(isDone ? [{ type: 'Resized', status: 'True' } as const] : []), created];
}

function available(controlPlane: ObservedControlPlane): NewCondition[] {
  return isInitialized(controlPlane) ? [{ type: 'Available', status: 'True' }] : [];
}

function upToDate(controlPlane: ObservedControlPlane, machines: readonly MachineView[]): NewCondition[] {
  const type = 'MachinesSpecUpToDate';
  const outdated = machines.filter(({ machine, outdated: causes }) => causes.length > 0 && !isDeleting(machine)).length;
  if (outdated > 0) {
    const message = `Rolling ${outdated} replicas with outdated spec (${machines.length - outdated} replicas up to date)`;
    return [{ type, status: 'False', reason: 'RollingUpdateInProgress', severity: 'Warning', message }];
  }
  // Said for the first time when there is something to say.
  const before = getV1beta1Condition(controlPlane as V1beta1Conditioned, type);
  return before === undefined ? [] : [{ type, status: 'True' }];
}
