import { annotations, machineReasons, numberAt, reasons, remediationReasons } from '@slipway/cluster-api';
import { devReasons } from '@slipway/dev';
import { kubectlWords, refOf, refText } from '../../objects/index.js';
import { conditionOf, conditionsOf } from '../../tree/index.js';
import type { CauseName } from '../causes.js';
import { connection, isControlPlaneUp } from './control-plane.js';
import {
  badConditions,
  clusterOf,
  conditionFact,
  conditionFinding,
  eventFacts,
  finding,
  isDeleting,
  isTrue,
  type Rule,
} from '../view.js';

/** A MachineSet that wants machines and may not, or cannot, make them. */
export const machineCreation: Rule = (object, view) => {
  if (object.kind !== 'MachineSet' || isDeleting(object)) return undefined;
  const wanted = numberAt(object, 'spec', 'replicas') ?? 0;
  if ((numberAt(object, 'status', 'replicas') ?? 0) >= wanted) return undefined;
  const words = kubectlWords(refOf(object));
  if (object.metadata.annotations?.[annotations.disableMachineCreate] === 'true')
    return finding(
      'MachineCreationDisabled',
      object,
      `${refText(refOf(object))} wants ${wanted} machines and may make none`,
      {
        evidence: [
          { object: refOf(object), fact: `it has the annotation ${annotations.disableMachineCreate}: "true"` },
        ],
        next: [`kubectl annotate ${words} ${annotations.disableMachineCreate}-`],
      },
    );
  const scaling = conditionOf(object, 'ScalingUp');
  if (scaling?.message.includes('preflight check failed') === true)
    return conditionFinding('PreflightFailed', object, scaling, view, [
      `kubectl annotate ${words} ${annotations.skipPreflightChecks}=All`,
    ]);
  const failed = view.set
    .eventsOf(refOf(object))
    .find(({ reason, type }) => type === 'Warning' && reason === 'FailedCreate');
  if (failed === undefined) return undefined;
  return finding('MachineCreationRejected', object, failed.message, {
    reason: failed.reason,
    evidence: [...eventFacts(object, view), ...(scaling === undefined ? [] : [conditionFact(object, scaling)])],
    next: [`kubectl describe ${words}`],
  });
};

const startup: ReadonlySet<string> = new Set([
  devReasons.waitingForStartupTimeout,
  devReasons.waitingForVmProvisioned,
  devReasons.waitingForNodeProvisioned,
]);

/** What an infrastructure object says of itself, once nothing that it waits for explains it. */
export const infrastructure: Rule = (object, view) => {
  const { group } = refOf(object);
  if (!group.startsWith('infrastructure.') || isDeleting(object) || object.kind.endsWith('Template')) return undefined;
  const bad = badConditions(object).filter(({ status }) => status === 'False');
  // The part says more than the sum.
  const condition =
    bad.find(
      ({ type, reason }) => type !== 'Ready' && startup.has(reason) && reason === devReasons.waitingForStartupTimeout,
    ) ??
    bad.find(({ type }) => type !== 'Ready') ??
    bad[0];
  if (condition === undefined) return undefined;
  const cause: CauseName = startup.has(condition.reason) ? 'MachineStartsUp' : 'InfrastructureNotReady';
  return conditionFinding(cause, object, condition, view, [`kubectl describe ${kubectlWords(refOf(object))}`]);
};

export const bootstrapData: Rule = (object, view) => {
  const condition = conditionOf(object, 'DataSecretAvailable');
  if (condition === undefined || condition.status === 'True' || isDeleting(object)) return undefined;
  const isWaiting = condition.message.startsWith('Waiting for');
  return conditionFinding(isWaiting ? 'InProgress' : 'BootstrapDataFailed', object, condition, view, [
    `kubectl get ${kubectlWords(refOf(object))} -o yaml`,
  ]);
};

const nodeCauses: Readonly<Record<string, CauseName>> = {
  [machineReasons.nodeDoesNotExist]: 'NodeNotRegistered',
  [machineReasons.nodeDeleted]: 'NodeGone',
  [machineReasons.nodeNotHealthy]: 'NodeUnhealthy',
  [machineReasons.nodeHealthyUnknown]: 'NodeUnhealthy',
  [reasons.connectionDown]: 'WorkloadUnreachable',
  [reasons.inspectionFailed]: 'WorkloadUnreachable',
};

/** A health check speaks of the Node too, and says besides what will be done about it. */
export const machineHealth: Rule = (object, view) => {
  if (object.kind !== 'Machine' || isDeleting(object)) return undefined;
  const check = conditionOf(object, 'HealthCheckSucceeded');
  if (check?.status !== 'False') return undefined;
  const remediation = conditionOf(object, 'OwnerRemediated') ?? conditionOf(object, 'ExternallyRemediated');
  const cause =
    remediation !== undefined && hopeless.has(remediation.reason) ? 'RemediationFailed' : 'MachineUnhealthy';
  const found = conditionFinding(cause, object, check, view, [
    `kubectl get machinehealthchecks -n ${object.metadata.namespace ?? ''}`,
  ]);
  return remediation === undefined
    ? found
    : { ...found, evidence: [...found.evidence, conditionFact(object, remediation)] };
};

const hopeless: ReadonlySet<string> = new Set([
  remediationReasons.cannotBeRemediated,
  remediationReasons.remediationTemplateNotFound,
  remediationReasons.remediationRequestCreationFailed,
]);

export const machineNode: Rule = (object, view) => {
  if (object.kind !== 'Machine' || isDeleting(object)) return undefined;
  const condition = conditionOf(object, 'NodeHealthy');
  if (condition === undefined || condition.status === 'True') return undefined;
  const cause = nodeCauses[condition.reason] ?? 'NodeUnhealthy';
  const { namespace = '' } = object.metadata;
  if (cause === 'WorkloadUnreachable') {
    const cluster = clusterOf(object, view);
    const cutOff = cluster && connection(cluster, view);
    if (cutOff !== undefined) return { ...cutOff, evidence: [...cutOff.evidence, conditionFact(object, condition)] };
    // Before the control plane answers nobody can ask for the Node.
    if (cluster !== undefined && !isControlPlaneUp(cluster))
      return conditionFinding('NodeNotRegistered', object, condition, view);
  }
  const isGone = cause === 'NodeGone';
  return conditionFinding(cause, object, condition, view, [
    isGone
      ? `kubectl delete ${kubectlWords(refOf(object))}`
      : `slipway timeline ${clusterName(object)} -n ${namespace}`,
  ]);
};

function clusterName(object: Parameters<Rule>[0]): string {
  return object.metadata.labels?.['cluster.x-k8s.io/cluster-name'] ?? '';
}

/** A check that may not do what it is there for. */
export const healthCheck: Rule = (object, view) => {
  const condition = object.kind === 'MachineHealthCheck' ? conditionOf(object, 'RemediationAllowed') : undefined;
  if (condition?.status !== 'False') return undefined;
  return conditionFinding('RemediationNotAllowed', object, condition, view, [
    `kubectl get machines -n ${object.metadata.namespace ?? ''}`,
    `kubectl get ${kubectlWords(refOf(object))} -o yaml`,
  ]);
};

const untouchedMs = 30_000;

/** Neither a status nor a finalizer long after it was made. */
export const nobodyActs: Rule = (object, { nowMs }) => {
  const isKnown = refOf(object).group.endsWith('cluster.x-k8s.io') && !/Template$|Binding$/.test(object.kind);
  const created = Date.parse(object.metadata.creationTimestamp ?? '');
  const isTouched = (object.metadata.finalizers ?? []).length > 0 || object['status'] !== undefined;
  if (!isKnown || isTouched || isTrue(object, 'Ready') || !(nowMs - created > untouchedMs)) return undefined;
  if (conditionsOf(object).length > 0) return undefined;
  return finding('NobodyActs', object, `no controller has looked at ${refText(refOf(object))}`, {
    evidence: [
      {
        object: refOf(object),
        fact: `created at ${object.metadata.creationTimestamp ?? ''}, without status and finalizers`,
      },
    ],
    next: ['slipway doctor', 'slipway status'],
  });
};
