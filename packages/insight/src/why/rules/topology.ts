import { otherReasons, topologyAnnotations, topologyReasons } from '@slipway/cluster-api';
import { timeOf } from '@slipway/kube';
import { kubectlArguments, type Observed, refOf } from '../../objects/index.js';
import { conditionOf } from '../../tree/index.js';
import { causeOfMessage } from '../condition-state.js';
import { badConditions, conditionFinding, follow, isDeleting, type Rule } from '../view.js';
import { isControlPlaneUp } from './control-plane.js';
import { nextOfMessage } from './failed-calls.js';

/** Time that the reconciliation of a new ClusterClass may take. */
const reconcileMs = 60_000;

export const topology: Rule = (object, view) => {
  const condition = object.kind === 'Cluster' ? conditionOf(object, 'TopologyReconciled') : undefined;
  if (condition === undefined || condition.status === 'True' || isDeleting(object)) return undefined;
  const target = kubectlArguments(refOf(object));
  const { reason } = condition;
  if (reason === topologyReasons.reconcileFailed)
    return conditionFinding(causeOfMessage(condition.message) ?? 'TopologyFailed', object, condition, view, [
      ...(nextOfMessage(condition.message) ?? []),
      `kubectl get ${target} -o yaml`,
    ]);
  if (reason === topologyReasons.clusterClassNotReconciled) {
    // A new ClusterClass without problems is about to be reconciled.
    const isNew = view.nowMs - (timeOf(condition.lastTransitionTime) ?? 0) < reconcileMs;
    return conditionFinding(isNew ? 'InProgress' : 'ClassNotReady', object, condition, view, [
      'kubectl get clusterclasses -A',
    ]);
  }
  if (
    reason === topologyReasons.machineDeploymentsUpgradeDeferred ||
    reason === topologyReasons.machinePoolsUpgradeDeferred
  )
    return conditionFinding('UpgradeHeld', object, condition, view, [
      `kubectl get ${target} -o yaml | grep -e ${topologyAnnotations.deferUpgrade} -e ${topologyAnnotations.holdUpgradeSequence}`,
    ]);
  const isHook = condition.message.includes('blocking');
  return conditionFinding(isHook ? 'LifecycleHookBlocks' : 'InProgress', object, condition, view, [
    `kubectl get ${target} -o yaml`,
  ]);
};

export const clusterClass: Rule = (object, view) => {
  if (object.kind !== 'ClusterClass') return undefined;
  const [condition] = badConditions(object);
  if (condition === undefined) return undefined;
  const found = conditionFinding(causeOfMessage(condition.message) ?? 'ClassNotReady', object, condition, view, [
    ...(nextOfMessage(condition.message) ?? []),
    `kubectl get ${kubectlArguments(refOf(object))} -o yaml`,
  ]);
  // A missing template would have been reported before this rule, so the templates exist by now. The class is about to be
  // reconciled again.
  if (condition.message.includes('Could not find external object')) return { ...found, cause: 'InProgress' };
  // Not a problem: the API server still serves the old version of a template.
  return condition.reason === otherReasons.refVersionsNotUpToDate ? undefined : found;
};

/** Reports the problems of a ClusterResourceSet that concern the explained Cluster. */
export const addOns: Rule = (object, view) => {
  const condition = object.kind === 'ClusterResourceSet' ? conditionOf(object, 'ResourcesApplied') : undefined;
  if (condition?.status !== 'False') return undefined;
  const next = [`kubectl get ${kubectlArguments(refOf(object))} -o yaml`];
  if (condition.reason === otherReasons.wrongSecretType)
    return conditionFinding('AddOnSecretType', object, condition, view, next);
  const message = messageFor(view.cluster, condition.message);
  if (message === undefined) return undefined;
  const isWaiting = message.startsWith('Waiting for a connection');
  const isUp = view.cluster !== undefined && isControlPlaneUp(view.cluster);
  const cause = isWaiting || (view.cluster !== undefined && !isUp) ? 'AddOnsWaiting' : 'AddOnNotApplied';
  return { ...conditionFinding(cause, object, condition, view, next), message };
};

/** Returns the lines of a message that name this Cluster or no Cluster. Undefined if the message is about other Clusters only. */
function messageFor(cluster: Observed | undefined, message: string): string | undefined {
  const name = cluster?.metadata.name;
  const lines = message.split('\n').map((line) => line.replace(/^\s*\* /, ''));
  const own = lines.filter((line) => {
    const about = /\bCluster ([^\s:]+):/.exec(line)?.[1];
    return !/^And \d+ other issues$/.test(line) && (name === undefined || about === undefined || about === name);
  });
  return own.length === 0 ? undefined : own.join('\n');
}

export const addresses: Rule = (object, view) => {
  const condition = object.kind === 'IPAddressClaim' ? conditionOf(object, 'Ready') : undefined;
  if (condition?.status !== 'False') return undefined;
  const cause = condition.reason === otherReasons.poolExhausted ? 'AddressesExhausted' : 'AddressPoolNotReady';
  const found = conditionFinding(cause, object, condition, view);
  const pool = follow(object, 'spec.poolRef', view);
  return pool === undefined
    ? found
    : {
        ...found,
        next: [`kubectl get ${kubectlArguments(refOf(pool))} -o yaml`],
        evidence: [...found.evidence, { object: refOf(pool), fact: 'is the address pool' }],
      };
};
