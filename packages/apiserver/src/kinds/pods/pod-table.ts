import { formatAge } from '@slipway/kube';
import { fields, type Fields, list, number, text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, orNone, printer, wide } from '../shared/table.js';

export const podTable = printer([
  nameColumn,
  column('Ready', readyOf),
  column('Status', statusOf),
  column('Restarts', restartsOf),
  ageColumn,
  wide('IP', (pod) => orNone(fields(list(fields(pod.status).podIPs)[0]).ip ?? fields(pod.status).podIP)),
  wide('Node', (pod) => orNone(fields(pod.spec).nodeName)),
  wide('Nominated Node', (pod) => orNone(fields(pod.status).nominatedNodeName)),
  wide('Readiness Gates', gatesOf),
]);

/** Returns the containers that the table counts: sidecars and containers. */
function longRunning(pod: Fields): readonly Fields[] {
  const spec = fields(pod.spec);
  return [
    ...list(spec.initContainers).filter(({ restartPolicy }) => restartPolicy === 'Always'),
    ...list(spec.containers),
  ];
}

function statusesOf(pod: Fields): readonly Fields[] {
  const status = fields(pod.status);
  return [...list(status.initContainerStatuses), ...list(status.containerStatuses)];
}

function readyOf(pod: Fields): string {
  const names = longRunning(pod).map(({ name }) => name);
  const ready = statusesOf(pod).filter(
    ({ name, ready: up, state }) => names.includes(name) && up === true && fields(state).running !== undefined,
  );
  return `${ready.length}/${names.length}`;
}

function restartsOf(pod: Fields, now: number): string {
  const statuses = list(fields(pod.status).containerStatuses);
  const restarts = statuses.reduce((sum, { restartCount }) => sum + number(restartCount), 0);
  const times = statuses
    .map(({ lastState }) => text(fields(fields(lastState).terminated).finishedAt))
    .filter((time) => time !== '');
  const last = times.sort().at(-1);
  return restarts > 0 && last !== undefined ? `${restarts} (${formatAge(last, now)} ago)` : String(restarts);
}

/** Returns the STATUS column: the phase, or the reason why the pod is not running. */
function statusOf(pod: Fields): string {
  const status = fields(pod.status);
  const gated = list(status.conditions).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  const base = gated ? 'SchedulingGated' : text(status.reason) || text(status.phase);
  const shown = initReason(pod) ?? containerReason(pod, base) ?? base;
  if (text(fields(pod.metadata).deletionTimestamp) === '') return shown;
  return text(status.reason) === 'NodeLost' ? 'Unknown' : 'Terminating';
}

function initReason(pod: Fields): string | undefined {
  const containers = list(fields(pod.spec).initContainers);
  for (const [index, status] of list(fields(pod.status).initContainerStatuses).entries()) {
    const state = fields(status.state);
    const terminated = fields(state.terminated);
    if (state.terminated !== undefined && number(terminated.exitCode) === 0) continue;
    const sidecar = containers.some(({ name, restartPolicy }) => name === status.name && restartPolicy === 'Always');
    if (sidecar && status.started === true) continue;
    if (state.terminated !== undefined) return `Init:${terminatedReason(terminated)}`;
    const waiting = text(fields(state.waiting).reason);
    if (waiting !== '' && waiting !== 'PodInitializing') return `Init:${waiting}`;
    return `Init:${index}/${containers.length}`;
  }
  return undefined;
}

function terminatedReason(terminated: Fields): string {
  if (text(terminated.reason) !== '') return text(terminated.reason);
  const signal = number(terminated.signal);
  return signal === 0 ? `ExitCode:${number(terminated.exitCode)}` : `Signal:${signal}`;
}

function containerReason(pod: Fields, base: string): string | undefined {
  let reason: string | undefined;
  let running = false;
  for (const status of [...list(fields(pod.status).containerStatuses)].reverse()) {
    const state = fields(status.state);
    if (text(fields(state.waiting).reason) !== '') reason = text(fields(state.waiting).reason);
    else if (state.terminated !== undefined) reason = terminatedReason(fields(state.terminated));
    else if (status.ready === true && state.running !== undefined) running = true;
  }
  if ((reason ?? base) !== 'Completed' || !running) return reason;
  const ready = list(fields(pod.status).conditions).some(({ type, status }) => type === 'Ready' && status === 'True');
  return ready ? 'Running' : 'NotReady';
}

function gatesOf(pod: Fields): string {
  const gates = list(fields(pod.spec).readinessGates);
  if (gates.length === 0) return '<none>';
  const conditions = list(fields(pod.status).conditions);
  const met = gates.filter((gate) =>
    conditions.some(({ type, status }) => type === gate.conditionType && status === 'True'),
  );
  return `${met.length}/${gates.length}`;
}
