import { timeOf } from '@slipway/kube';
import { annotations, flagAt, numberAt, textAt } from '@slipway/cluster-api';
import { kubectlArguments, type Observed, refOf, refText } from '../../objects/index.js';
import { clusterOf, finding, isDeleting, isTrue, type Rule } from '../view.js';

export const namespaceTerminating: Rule = (object, { set }) => {
  const name = object.metadata.namespace ?? '';
  const home = set.get({ group: '', kind: 'Namespace', namespace: '', name });
  if (home === undefined || !isDeleting(home) || isDeleting(object)) return undefined;
  return finding('NamespaceTerminating', home, `namespace ${name} is being deleted`, {
    evidence: [{ object: refOf(home), fact: `metadata.deletionTimestamp is ${home.metadata.deletionTimestamp ?? ''}` }],
    next: [`kubectl get namespace ${name} -o yaml`],
  });
};

export const pausedCluster: Rule = (object, view) => {
  const cluster = clusterOf(object, view);
  if (cluster === undefined || !flagAt(cluster, 'spec', 'paused')) return undefined;
  const target = kubectlArguments(refOf(cluster));
  return finding('ClusterPaused', cluster, `${refText(refOf(cluster))} is paused`, {
    reason: 'Paused',
    evidence: [{ object: refOf(cluster), fact: 'spec.paused is true' }],
    next: [`kubectl patch ${target} --type merge -p '{"spec":{"paused":null}}'`],
  });
};

export const pausedObject: Rule = (object) => {
  const value = object.metadata.annotations?.[annotations.paused];
  if (value === undefined) return undefined;
  return finding('ObjectPaused', object, `${refText(refOf(object))} is paused by an annotation`, {
    reason: 'Paused',
    evidence: [{ object: refOf(object), fact: `has the annotation ${annotations.paused}: ${JSON.stringify(value)}` }],
    next: [`kubectl annotate ${kubectlArguments(refOf(object))} ${annotations.paused}-`],
  });
};

function outdatedOf(object: Observed): number {
  return (numberAt(object, 'status', 'replicas') ?? 0) - (numberAt(object, 'status', 'upToDateReplicas') ?? 0);
}

function outdatedText(object: Observed): string {
  return `${outdatedOf(object)} Machines of ${refText(refOf(object))} are not up to date`;
}

function isDeployment(object: Observed): boolean {
  return object.kind === 'MachineDeployment' && !isDeleting(object);
}

/** Reports outdated Machines that are kept because the rollout is paused. */
export const pausedRollout: Rule = (object) => {
  const isHeld = outdatedOf(object) > 0 || isTrue(object, 'RollingOut');
  if (!isDeployment(object) || !flagAt(object, 'spec', 'paused') || !isHeld) return undefined;
  return finding('RolloutPaused', object, `${outdatedText(object)}, and its rollout is paused`, {
    evidence: [{ object: refOf(object), fact: 'spec.paused is true' }],
    next: [`slipway rollout resume ${kubectlArguments(refOf(object))}`],
  });
};

export const rolloutOnDelete: Rule = (object) => {
  const isOnDelete = textAt(object, 'spec', 'rollout', 'strategy', 'type') === 'OnDelete';
  if (!isDeployment(object) || !isOnDelete || outdatedOf(object) <= 0) return undefined;
  const message = `${outdatedText(object)}; the rollout strategy OnDelete replaces them only after they are deleted`;
  const { namespace = '', name = '' } = object.metadata;
  return finding('RolloutOnDelete', object, message, {
    evidence: [{ object: refOf(object), fact: 'spec.rollout.strategy.type is OnDelete' }],
    next: [`kubectl get machines -n ${namespace} -l cluster.x-k8s.io/deployment-name=${name}`],
  });
};

export const rolloutLater: Rule = (object, { nowMs }) => {
  const text = textAt(object, 'spec', 'rollout', 'after') ?? '';
  const after = timeOf(text);
  if (!isDeployment(object) || after === undefined || after <= nowMs) return undefined;
  return finding('RolloutLater', object, `the Machines of ${refText(refOf(object))} are replaced after ${text}`, {
    evidence: [{ object: refOf(object), fact: `spec.rollout.after is ${text}` }],
    next: [`slipway rollout restart ${kubectlArguments(refOf(object))}`],
  });
};

export const externallyManaged: Rule = (object) => {
  const by = object.metadata.annotations?.[annotations.managedBy];
  if (
    by === undefined ||
    flagAt(object, 'status', 'initialization', 'provisioned') ||
    flagAt(object, 'status', 'ready')
  )
    return undefined;
  return finding(
    'ExternallyManaged',
    object,
    `${refText(refOf(object))} is managed by ${by === '' ? 'an external system' : by}, which has not reported it as provisioned`,
    {
      evidence: [{ object: refOf(object), fact: `has the annotation ${annotations.managedBy}: ${JSON.stringify(by)}` }],
      next: [`kubectl get ${kubectlArguments(refOf(object))} -o yaml`],
    },
  );
};
