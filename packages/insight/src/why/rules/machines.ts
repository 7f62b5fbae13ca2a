import { annotations, machineReasons, numberAt, reasons, remediationReasons, textAt } from '@slipway/cluster-api';
import type { Condition } from '@slipway/runtime';
import { isControlPlaneObject, kubectlArguments, type Observed, refOf, refText } from '../../objects/index.js';
import { conditionOf, conditionsOf, oldConditionsOf, type ShownCondition } from '../../tree/index.js';
import type { CauseName } from '../causes.js';
import { causeOfMessage } from '../condition-state.js';
import type { Finding } from '../explanation.js';
import { nextOfMessage } from './failed-calls.js';
import { connection, isControlPlaneUp } from './control-plane.js';
import {
  clusterOf,
  conditionFact,
  conditionFinding,
  eventFacts,
  finding,
  follow,
  isDeleting,
  isTrue,
  type Rule,
  type View,
} from '../view.js';

/** Reports a MachineSet that has too few Machines and is not allowed, or not able, to create more. */
export const machineCreation: Rule = (object, view) => {
  if (object.kind !== 'MachineSet' || isDeleting(object)) return undefined;
  const desired = numberAt(object, 'spec', 'replicas') ?? 0;
  if ((numberAt(object, 'status', 'replicas') ?? 0) >= desired) return undefined;
  const target = kubectlArguments(refOf(object));
  if (object.metadata.annotations?.[annotations.disableMachineCreate] === 'true')
    return finding(
      'MachineCreationDisabled',
      object,
      `${refText(refOf(object))} needs ${desired} Machines, but Machine creation is disabled`,
      {
        evidence: [{ object: refOf(object), fact: `has the annotation ${annotations.disableMachineCreate}: "true"` }],
        next: [`kubectl annotate ${target} ${annotations.disableMachineCreate}-`],
      },
    );
  const scaling = conditionOf(object, 'ScalingUp');
  if (scaling?.message.includes('preflight check failed') === true) return preflightFinding(object, scaling, view);
  const creation = oldConditionsOf(object).find(({ type, status }) => type === 'MachinesCreated' && status === 'False');
  if (creation !== undefined) return creationFinding(object, creation, view);
  const failed = view.set
    .eventsOf(refOf(object))
    .find(({ reason, type }) => type === 'Warning' && reason === 'FailedCreate');
  if (failed === undefined) return undefined;
  return finding('MachineCreationRejected', object, failed.message, {
    reason: failed.reason,
    evidence: [...eventFacts(object, view), ...(scaling === undefined ? [] : [conditionFact(object, scaling)])],
    next: [`kubectl describe ${target}`],
  });
};

function creationFinding(object: Observed, condition: ShownCondition, view: View): Finding {
  const { reason, message, type, status } = condition;
  const fact = `condition ${type} is ${status} (${reason}): ${message}`;
  return finding(causeOfMessage(message) ?? 'MachineCreationRejected', object, message, {
    reason,
    evidence: [{ object: refOf(object), fact }, ...eventFacts(object, view)],
    next: nextOfMessage(message) ?? [`kubectl describe ${kubectlArguments(refOf(object))}`],
  });
}

/** Reports a control plane that cannot create a Machine. The error is in its deprecated MachinesCreated condition. */
export const controlPlaneCreation: Rule = (object, view) => {
  if (!isControlPlaneObject(object) || isDeleting(object)) return undefined;
  const creation = oldConditionsOf(object).find(({ type, status }) => type === 'MachinesCreated' && status === 'False');
  return creation === undefined ? undefined : creationFinding(object, creation, view);
};

/** Returns InProgress while the control plane is provisioning or upgrading. A user has to act if the versions do not fit. */
function preflightFinding(object: Observed, scaling: Condition, view: View): Finding {
  const isWaiting = /is provisioning|is upgrading|pending version upgrade/.test(scaling.message);
  return isWaiting
    ? conditionFinding('InProgress', object, scaling, view, [`kubectl describe ${kubectlArguments(refOf(object))}`])
    : conditionFinding('PreflightFailed', object, scaling, view, [alignVersions(object, view)]);
}

/** Returns the command that sets the version of the workers to the version of the control plane. */
function alignVersions(set: Observed, view: View): string {
  const cluster = clusterOf(set, view);
  const controlPlane = follow(cluster, 'spec.controlPlaneRef', view);
  const version = (controlPlane && textAt(controlPlane, 'spec', 'version')) ?? '<version of the control plane>';
  const owner = view.set.byUid(set.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid);
  const patch = JSON.stringify({ spec: { template: { spec: { version } } } });
  return `kubectl patch ${kubectlArguments(refOf(owner ?? set))} --type merge -p '${patch}'`;
}

export const bootstrapData: Rule = (object, view) => {
  const condition = conditionOf(object, 'DataSecretAvailable');
  if (condition === undefined || condition.status === 'True' || isDeleting(object)) return undefined;
  const isWaiting = condition.message.startsWith('Waiting for');
  return conditionFinding(isWaiting ? 'InProgress' : 'BootstrapDataFailed', object, condition, view, [
    `kubectl get ${kubectlArguments(refOf(object))} -o yaml`,
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

/**
 * Reports an unhealthy Machine. Takes precedence over `machineNode`: a health check also covers the Node, and reports the
 * remediation.
 */
export const machineHealth: Rule = (object, view) => {
  if (object.kind !== 'Machine' || isDeleting(object)) return undefined;
  const check = conditionOf(object, 'HealthCheckSucceeded');
  if (check?.status !== 'False') return undefined;
  const remediation = conditionOf(object, 'OwnerRemediated') ?? conditionOf(object, 'ExternallyRemediated');
  const cause =
    remediation !== undefined && unrecoverable.has(remediation.reason) ? 'RemediationFailed' : 'MachineUnhealthy';
  const found = conditionFinding(cause, object, check, view, [
    `kubectl get machinehealthchecks -n ${object.metadata.namespace ?? ''}`,
  ]);
  return remediation === undefined
    ? found
    : { ...found, evidence: [...found.evidence, conditionFact(object, remediation)] };
};

const unrecoverable: ReadonlySet<string> = new Set([
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
    // Nodes cannot be read before the control plane is initialized, nor found before the machine has a provider ID.
    const isWaiting = condition.message.startsWith('Waiting for');
    if (isWaiting || (cluster !== undefined && !isControlPlaneUp(cluster)))
      return conditionFinding('NodeNotRegistered', object, condition, view);
  }
  const isGone = cause === 'NodeGone';
  return conditionFinding(cause, object, condition, view, [
    isGone
      ? `kubectl delete ${kubectlArguments(refOf(object))}`
      : `slipway timeline ${clusterName(object)} -n ${namespace}`,
  ]);
};

function clusterName(object: Parameters<Rule>[0]): string {
  return object.metadata.labels?.['cluster.x-k8s.io/cluster-name'] ?? '';
}

/** Reports a MachineHealthCheck that is not allowed to remediate. */
export const healthCheck: Rule = (object, view) => {
  const condition = object.kind === 'MachineHealthCheck' ? conditionOf(object, 'RemediationAllowed') : undefined;
  if (condition?.status !== 'False') return undefined;
  return conditionFinding('RemediationNotAllowed', object, condition, view, [
    `kubectl get machines -n ${object.metadata.namespace ?? ''}`,
    `kubectl get ${kubectlArguments(refOf(object))} -o yaml`,
  ]);
};

const unreconciledMs = 30_000;

/** Reports an object that has neither a status nor a finalizer `unreconciledMs` after its creation. */
export const noControllerActs: Rule = (object, { nowMs }) => {
  const isKnown = refOf(object).group.endsWith('cluster.x-k8s.io') && !/Template$|Binding$/.test(object.kind);
  const created = Date.parse(object.metadata.creationTimestamp ?? '');
  const isReconciled = (object.metadata.finalizers ?? []).length > 0 || object['status'] !== undefined;
  if (!isKnown || isReconciled || isTrue(object, 'Ready') || !(nowMs - created > unreconciledMs)) return undefined;
  if (conditionsOf(object).length > 0) return undefined;
  return finding('NoControllerActs', object, `no controller has reconciled ${refText(refOf(object))}`, {
    evidence: [
      {
        object: refOf(object),
        fact: `was created at ${object.metadata.creationTimestamp ?? ''} and has no status and no finalizers`,
      },
    ],
    next: ['slipway doctor', 'slipway status'],
  });
};
