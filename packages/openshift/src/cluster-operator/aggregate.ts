import { type Frozen, formatTime, parseTime } from '@slipway/kube';
import { edit, type NewCondition } from '@slipway/runtime';
import type { ClusterOperator } from '../api/index.js';
import { clusterOperatorKey, namespaces, operatorName } from '../names.js';
import { infraClusterKind } from '../platforms/index.js';
import type { Scope } from '../scope/scope.js';
import { type ControllerName, controllerNames } from './result.js';

type Condition = NonNullable<NonNullable<ClusterOperator['status']>['conditions']>[number];
type Draft = { status?: { conditions?: Condition[] } };
type RelatedObject = NonNullable<NonNullable<ClusterOperator['status']>['relatedObjects']>[number];

/** Time after which a persistent error sets Degraded. */
export const degradedAfterMs = 300_000;

const severity = [
  'AsExpected',
  'Uninitialized',
  'Progressing',
  'WaitingOnExternal',
  'EphemeralError',
  'NonRetryableError',
];

export const summaryTypes = ['Available', 'Progressing', 'Degraded', 'Upgradeable'] as const;

/** Aggregates the conditions of all controllers in the ClusterOperator. Returns the same object if nothing changes. */
export function aggregate(operator: Frozen<ClusterOperator>, scope: Scope, nowMs: number): Frozen<ClusterOperator> {
  const summary = summaryOf(operator, scope, nowMs);
  return edit(operator, (draft) => {
    for (const condition of summary) setOpenShiftCondition(draft, condition, nowMs);
    draft.status ??= {};
    if (summary.some(({ type, status }) => type === 'Available' && status === 'True'))
      draft.status.versions = [{ name: 'operator', version: scope.version }];
    draft.status.relatedObjects = relatedObjects(scope);
  });
}

/** Returns the time until a persistent error sets Degraded, or undefined without errors. */
export function degradedInMs(operator: Frozen<ClusterOperator>, nowMs: number): number | undefined {
  const times = failing(operator).map(
    ({ lastTransitionTime }) => parseTime(lastTransitionTime) + degradedAfterMs - nowMs,
  );
  const due = times.filter((time) => time > 0);
  return due.length === 0 ? undefined : Math.min(...due);
}

function summaryOf(operator: Frozen<ClusterOperator>, scope: Scope, nowMs: number): readonly NewCondition[] {
  switch (scope.type) {
    case 'off':
      return calm(`Cluster CAPI Operator is available at ${scope.version}`);
    case 'unsupported':
      return calm('Cluster API is not yet implemented on this platform');
    case 'pending':
      return [newCondition('Progressing', 'True', 'WaitingOnExternal', `Waiting on ${scope.message}`)];
    case 'invalid':
      return [
        newCondition('Degraded', 'True', 'NonRetryableError', scope.message),
        newCondition('Progressing', 'False', 'NonRetryableError', scope.message),
        newCondition('Upgradeable', 'False', 'NonRetryableError', scope.message),
      ];
    case 'on':
      return summaryOfControllers(operator, scope.version, nowMs);
  }
}

function calm(message: string): readonly NewCondition[] {
  return [
    newCondition('Available', 'True', 'AsExpected', message),
    newCondition('Progressing', 'False', 'AsExpected', ''),
    newCondition('Degraded', 'False', 'AsExpected', ''),
    newCondition('Upgradeable', 'True', 'AsExpected', ''),
  ];
}

function summaryOfControllers(
  operator: Frozen<ClusterOperator>,
  version: string,
  nowMs: number,
): readonly NewCondition[] {
  const part = (suffix: string) => controllerNames.map((name) => ({ name, condition: find(operator, name + suffix) }));
  const working = part('Progressing').filter(({ condition }) => condition?.status !== 'False');
  const available = part('Available');
  const lost = available.filter(({ condition }) => condition?.status === 'False');
  const isComplete = available.every(({ condition }) => condition?.status === 'True');
  const lasting = failing(operator).filter((condition) => isLasting(condition, nowMs));
  const progressing =
    working.length === 0
      ? newCondition('Progressing', 'False', 'AsExpected', '')
      : newCondition('Progressing', 'True', worst(working), texts(working));
  const degraded =
    lasting.length === 0
      ? newCondition('Degraded', 'False', 'AsExpected', '')
      : newCondition(
          'Degraded',
          'True',
          lasting[0]?.reason ?? '',
          `Failed to resync because ${lasting[0]?.message ?? ''}`,
        );
  return [
    ...availability(lost, isComplete, version),
    progressing,
    degraded,
    newCondition('Upgradeable', degraded.status === 'True' ? 'False' : 'True', degraded.reason, degraded.message ?? ''),
  ];
}

/** Returns the Available condition. It is not set before the result is known: a temporary False would raise an alert. */
function availability(lost: readonly Part[], isComplete: boolean, version: string): readonly NewCondition[] {
  if (lost.length > 0) return [newCondition('Available', 'False', worst(lost), texts(lost))];
  if (!isComplete) return [];
  return [newCondition('Available', 'True', 'AsExpected', `Cluster CAPI Operator is available at ${version}`)];
}

interface Part {
  readonly name: ControllerName;
  readonly condition: Frozen<Condition> | undefined;
}

function failing(operator: Frozen<ClusterOperator>): readonly Frozen<Condition>[] {
  return controllerNames.flatMap((name) => {
    const condition = find(operator, `${name}Degraded`);
    return condition?.status === 'True' ? [condition] : [];
  });
}

/** Returns whether an error sets Degraded now. Errors that only the user can fix do so immediately. */
function isLasting({ reason, lastTransitionTime }: Frozen<Condition>, nowMs: number): boolean {
  return reason === 'NonRetryableError' || nowMs - parseTime(lastTransitionTime) >= degradedAfterMs;
}

function worst(parts: readonly Part[]): string {
  const reasons = parts.map(({ condition }) => condition?.reason ?? 'Uninitialized');
  return reasons.reduce((left, right) => (severity.indexOf(right) > severity.indexOf(left) ? right : left));
}

function texts(parts: readonly Part[]): string {
  return parts.map(({ name, condition }) => `${name}: ${condition?.message ?? 'initializing'}`).join('; ');
}

function newCondition(type: string, status: 'True' | 'False', reason: string, message: string): NewCondition {
  return { type, status, reason, message };
}

function find({ status }: Frozen<ClusterOperator>, type: string): Frozen<Condition> | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** Sets a condition. OpenShift conditions have no observedGeneration, and lastTransitionTime changes only with the status. */
export function setOpenShiftCondition(draft: Draft, condition: NewCondition, nowMs: number): void {
  draft.status ??= {};
  const conditions = draft.status.conditions ?? [];
  const { type, status, reason, message = '' } = condition;
  const index = conditions.findIndex((one) => one.type === type);
  const before = conditions[index];
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : formatTime(nowMs);
  const next = { type, status, reason, message, lastTransitionTime };
  draft.status.conditions = before === undefined ? [...conditions, next] : conditions.with(index, next);
}

/** Returns the objects for must-gather. The list is atomic, so this controller replaces it as a whole. */
function relatedObjects(scope: Scope): RelatedObject[] {
  const namespace = namespaces.clusterApi;
  const core = 'cluster.x-k8s.io';
  const objects: RelatedObject[] = [
    { group: '', resource: 'namespaces', name: namespace },
    { group: 'config.openshift.io', resource: 'clusteroperators', name: clusterOperatorKey.name },
    { group: '', resource: 'serviceaccounts', namespace, name: operatorName },
    { group: '', resource: 'configmaps', namespace, name: `${operatorName}-images` },
    { group: 'apps', resource: 'deployments', namespace, name: operatorName },
  ];
  if (scope.type === 'on')
    for (const [group, resource] of [
      [core, 'clusters'],
      [core, 'machines'],
      [core, 'machinesets'],
      ['operator.cluster.x-k8s.io', 'coreproviders'],
      ['operator.cluster.x-k8s.io', 'infrastructureproviders'],
      ['infrastructure.cluster.x-k8s.io', `${infraClusterKind(scope.platform).toLowerCase()}s`],
    ] as const)
      objects.push({ group, resource, namespace, name: '' });
  const sortKey = ({ namespace: place = '', group, resource, name }: RelatedObject): string =>
    [place, group, resource, name].join('\u0000');
  return objects.sort((left, right) => (sortKey(left) < sortKey(right) ? -1 : 1));
}
