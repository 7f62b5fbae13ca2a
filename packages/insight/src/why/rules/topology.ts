import { otherReasons, topologyAnnotations, topologyReasons } from '@slipway/cluster-api';
import { kubectlWords, refOf, refText } from '../../objects/index.js';
import { conditionOf } from '../../tree/index.js';
import { badConditions, conditionFinding, isDeleting, type Rule } from '../view.js';

export const topology: Rule = (object, view) => {
  const condition = object.kind === 'Cluster' ? conditionOf(object, 'TopologyReconciled') : undefined;
  if (condition === undefined || condition.status === 'True' || isDeleting(object)) return undefined;
  const words = kubectlWords(refOf(object));
  const { reason } = condition;
  if (reason === topologyReasons.reconcileFailed)
    return conditionFinding('TopologyFailed', object, condition, view, [`kubectl get ${words} -o yaml`]);
  if (reason === topologyReasons.clusterClassNotReconciled)
    return conditionFinding('ClassNotReady', object, condition, view, ['kubectl get clusterclasses -A']);
  if (
    reason === topologyReasons.machineDeploymentsUpgradeDeferred ||
    reason === topologyReasons.machinePoolsUpgradeDeferred
  )
    return conditionFinding('UpgradeHeld', object, condition, view, [
      `kubectl get ${words} -o yaml | grep -e ${topologyAnnotations.deferUpgrade} -e ${topologyAnnotations.holdUpgradeSequence}`,
    ]);
  const isHook = condition.message.includes('blocking');
  return conditionFinding(isHook ? 'LifecycleHookBlocks' : 'InProgress', object, condition, view, [
    `kubectl get ${words} -o yaml`,
  ]);
};

export const clusterClass: Rule = (object, view) => {
  if (object.kind !== 'ClusterClass') return undefined;
  const [condition] = badConditions(object);
  if (condition === undefined) return undefined;
  const found = conditionFinding('ClassNotReady', object, condition, view, [
    `kubectl get ${kubectlWords(refOf(object))} -o yaml`,
  ]);
  // An old version of a template is served all the same.
  return condition.reason === otherReasons.refVersionsNotUpToDate ? undefined : found;
};

export const addOns: Rule = (object, view) => {
  const condition = object.kind === 'ClusterResourceSet' ? conditionOf(object, 'ResourcesApplied') : undefined;
  if (condition?.status !== 'False') return undefined;
  const cause = condition.reason === otherReasons.wrongSecretType ? 'AddOnSecretType' : 'AddOnNotApplied';
  return conditionFinding(cause, object, condition, view, [`kubectl get ${kubectlWords(refOf(object))} -o yaml`]);
};

export const addresses: Rule = (object, view) => {
  const condition = object.kind === 'IPAddressClaim' ? conditionOf(object, 'Ready') : undefined;
  if (condition?.status !== 'False') return undefined;
  const cause = condition.reason === otherReasons.poolExhausted ? 'AddressesExhausted' : 'AddressPoolNotReady';
  const found = conditionFinding(cause, object, condition, view);
  const pool = view.set.objects.find(({ kind }) => kind.endsWith('IPPool'));
  return pool === undefined
    ? found
    : {
        ...found,
        next: [`kubectl get ${kubectlWords(refOf(pool))} -o yaml`],
        evidence: [...found.evidence, { object: refOf(pool), fact: `${refText(refOf(pool))} is the pool` }],
      };
};
