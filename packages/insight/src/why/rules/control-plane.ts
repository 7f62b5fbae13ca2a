import { timeOf } from '@slipway/kube';
import type { Condition } from '@slipway/runtime';
import { flagAt, labels } from '@slipway/cluster-api';
import { controlPlaneMachineConditions } from '@slipway/kubeadm';
import {
  isControlPlaneObject,
  keyMaterial,
  kubectlArguments,
  missingSecrets,
  type ObjectRef,
  type Observed,
  refOf,
} from '../../objects/index.js';
import { conditionOf } from '../../tree/index.js';
import type { Finding } from '../explanation.js';
import {
  clusterOf,
  conditionFact,
  conditionFinding,
  finding,
  isDeleting,
  isTrue,
  type Rule,
  type View,
} from '../view.js';

/** Reports missing or invalid cluster certificates, without which neither Machines nor kubeconfigs can be created. */
export const certificates: Rule = (object, view) => {
  const condition = conditionOf(object, 'CertificatesAvailable');
  if (condition?.status !== 'False' || isDeleting(object)) return undefined;
  const namespace = object.metadata.namespace ?? '';
  const cluster = object.metadata.labels?.[labels.clusterName] ?? '';
  const next = [secretsHint(namespace, cluster)];
  const missing = secretsIn(condition.message, namespace, cluster).find((target) => view.set.get(target) === undefined);
  const found = conditionFinding('CertificatesUnusable', object, condition, view, next);
  if (missing === undefined) return found;
  return {
    ...found,
    cause: 'CertificatesMissing',
    object: missing,
    message: `Secret ${namespace}/${missing.name} does not exist`,
  };
};

/** Reports deleted key material of a running cluster, also before the control plane provider has noticed. */
export const deletedKeyMaterial: Rule = (object, view) => {
  const cluster = isControlPlaneObject(object) && !isDeleting(object) ? clusterOf(object, view) : undefined;
  if (cluster === undefined) return undefined;
  const { namespace = '', name = '' } = cluster.metadata;
  const [missing] = missingSecrets(view.set, cluster, keyMaterial);
  // A user without permission to list Secrets sees none of them.
  const isReadable = view.set.get({ group: '', kind: 'Secret', namespace, name: `${name}-kubeconfig` }) !== undefined;
  if (missing === undefined || !isReadable) return undefined;
  return finding('CertificatesMissing', object, `Secret ${namespace}/${missing.name} does not exist`, {
    object: missing,
    next: [secretsHint(namespace, name)],
  });
};

function secretsHint(namespace: string, cluster: string): string {
  return `kubectl get secrets -n ${namespace} -l ${labels.clusterName}=${cluster}`;
}

/** Returns the certificate Secrets that a condition message mentions, by name or by purpose. */
function secretsIn(message: string, namespace: string, cluster: string): readonly ObjectRef[] {
  return ['ca', 'etcd', 'proxy', 'sa']
    .filter((purpose) => new RegExp(`(^|[\\s-])${purpose}\\b`).test(message))
    .map((purpose) => ({ group: '', kind: 'Secret', namespace, name: `${cluster}-${purpose}` }));
}

const parts = [
  { type: 'EtcdClusterHealthy', cause: 'EtcdUnhealthy' },
  { type: 'ControlPlaneComponentsHealthy', cause: 'ComponentsUnhealthy' },
] as const;

/** Time that a Machine may take to join the cluster. */
const joiningMs = 10 * 60_000;
/** Time in which the state of an etcd member or component may change without a problem. */
const settlingMs = 60_000;

/** Reports an unhealthy control plane. Applies only after initialization: nothing is healthy before. */
export const controlPlaneHealth: Rule = (object, view) => {
  if (!isControlPlaneObject(object) || isDeleting(object) || !isTrue(object, 'Initialized')) return undefined;
  for (const { type, cause } of parts) {
    const condition = conditionOf(object, type);
    if (condition?.status === 'False' && !isJoining(object, condition, view))
      return conditionFinding(cause, object, condition, view, [kubeconfigHint(object)]);
  }
  return undefined;
};

/** An etcd member exists before its Node, and the other components start after the etcd member. */
function isJoining(controlPlane: Observed, { lastTransitionTime }: Condition, { nowMs }: View): boolean {
  const age = nowMs - (timeOf(lastTransitionTime) ?? 0);
  const isAdding = ['ScalingUp', 'RollingOut'].some((type) => isTrue(controlPlane, type));
  return age < (isAdding ? joiningMs : settlingMs);
}

const ofMachines = [
  { type: controlPlaneMachineConditions.etcdMemberHealthy, cause: 'EtcdUnhealthy' },
  { type: controlPlaneMachineConditions.etcdPodHealthy, cause: 'EtcdUnhealthy' },
  { type: controlPlaneMachineConditions.apiServerPodHealthy, cause: 'ComponentsUnhealthy' },
  { type: controlPlaneMachineConditions.controllerManagerPodHealthy, cause: 'ComponentsUnhealthy' },
  { type: controlPlaneMachineConditions.schedulerPodHealthy, cause: 'ComponentsUnhealthy' },
] as const;

/** Reports unhealthy components of a control plane Machine that is older than `joiningMs`. */
export const machineComponents: Rule = (object, view) => {
  const age = view.nowMs - (timeOf(object.metadata.creationTimestamp) ?? 0);
  if (object.kind !== 'Machine' || isDeleting(object) || age < joiningMs) return undefined;
  for (const { type, cause } of ofMachines) {
    const condition = conditionOf(object, type);
    if (condition?.status === 'False')
      return conditionFinding(cause, object, condition, view, [kubeconfigHint(object)]);
  }
  return undefined;
};

function kubeconfigHint(object: Observed): string {
  const { namespace = '', labels: own = {} } = object.metadata;
  return `slipway get kubeconfig ${own[labels.clusterName] ?? ''} -n ${namespace} > /tmp/kubeconfig && kubectl --kubeconfig /tmp/kubeconfig get pods -n kube-system`;
}

export function isControlPlaneUp(cluster: Observed): boolean {
  return flagAt(cluster, 'status', 'initialization', 'controlPlaneInitialized');
}

/** Reports that the management cluster cannot connect to the workload cluster. */
export const connection: Rule = (object, view) => {
  const probe = conditionOf(object, 'RemoteConnectionProbe');
  if (object.kind !== 'Cluster' || isDeleting(object) || probe?.status !== 'False' || !isControlPlaneUp(object))
    return undefined;
  return (
    kubeconfigProblem(object, view) ??
    conditionFinding('WorkloadUnreachable', object, probe, view, [
      `slipway get kubeconfig ${object.metadata.name ?? ''} -n ${object.metadata.namespace ?? ''} > /tmp/kubeconfig && kubectl --kubeconfig /tmp/kubeconfig get --raw /readyz`,
    ])
  );
};

function kubeconfigProblem(cluster: Observed, { set }: View): Finding | undefined {
  const { namespace = '', name = '' } = cluster.metadata;
  const secret = `${name}-kubeconfig`;
  const target = { group: '', kind: 'Secret', namespace, name: secret };
  const found = set.get(target);
  const probe = conditionOf(cluster, 'RemoteConnectionProbe');
  const evidence = probe === undefined ? [] : [conditionFact(cluster, probe)];
  if (found === undefined)
    return finding('KubeconfigMissing', cluster, `Secret ${namespace}/${secret} does not exist`, {
      object: target,
      evidence,
      next: [secretsHint(namespace, name)],
    });
  if (found.metadata.labels?.[labels.clusterName] === name) return undefined;
  return finding(
    'KubeconfigNotLabelled',
    cluster,
    `Secret ${namespace}/${secret} does not have the label ${labels.clusterName}=${name}`,
    {
      object: target,
      evidence,
      next: [`kubectl label ${kubectlArguments(refOf(found))} ${labels.clusterName}=${name}`],
    },
  );
}
