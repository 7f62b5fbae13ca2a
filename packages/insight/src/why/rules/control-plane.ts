import { flagAt, labels } from '@slipway/cluster-api';
import { isControlPlaneObject, kubectlWords, type Observed, refOf } from '../../objects/index.js';
import { conditionOf } from '../../tree/index.js';
import type { Finding } from '../explanation.js';
import { conditionFact, conditionFinding, finding, isDeleting, isTrue, type Rule, type View } from '../view.js';

/** Certificates stop everything: neither a machine nor a kubeconfig can be made without them. */
export const certificates: Rule = (object, view) => {
  const condition = conditionOf(object, 'CertificatesAvailable');
  if (condition?.status !== 'False' || isDeleting(object)) return undefined;
  const namespace = object.metadata.namespace ?? '';
  const cluster = object.metadata.labels?.[labels.clusterName] ?? '';
  const isMissing = /not found|missing|does not exist|no Secret/i.test(condition.message);
  return conditionFinding(isMissing ? 'CertificatesMissing' : 'CertificatesUnusable', object, condition, view, [
    `kubectl get secrets -n ${namespace} -l cluster.x-k8s.io/cluster-name=${cluster}`,
  ]);
};

const parts = [
  { type: 'EtcdClusterHealthy', cause: 'EtcdUnhealthy' },
  { type: 'ControlPlaneComponentsHealthy', cause: 'ComponentsUnhealthy' },
] as const;

/** Only once it runs: before, nothing of it can be healthy. */
export const controlPlaneHealth: Rule = (object, view) => {
  if (!isControlPlaneObject(object) || isDeleting(object) || !isTrue(object, 'Initialized')) return undefined;
  for (const { type, cause } of parts) {
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

/** The management plane cannot talk to the workload cluster. */
export const connection: Rule = (object, view) => {
  const probe = conditionOf(object, 'RemoteConnectionProbe');
  const isUp =
    isTrue(object, 'ControlPlaneInitialized') || flagAt(object, 'status', 'initialization', 'controlPlaneInitialized');
  if (object.kind !== 'Cluster' || isDeleting(object) || probe?.status !== 'False' || !isUp) return undefined;
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
  // Only Secrets with the label of the cluster were listed: whoever is not among them has none, or is not there.
  if (found === undefined)
    return finding(
      'KubeconfigMissing',
      cluster,
      `there is no Secret ${namespace}/${secret} with the label ${labels.clusterName}=${name}`,
      {
        object: target,
        evidence,
        next: [`kubectl get secret ${secret} -n ${namespace} --show-labels`],
      },
    );
  if (found.metadata.labels?.[labels.clusterName] === name) return undefined;
  return finding(
    'KubeconfigNotLabelled',
    cluster,
    `the Secret ${namespace}/${secret} has no label ${labels.clusterName}=${name}`,
    {
      object: target,
      evidence,
      next: [`kubectl label ${kubectlWords(refOf(found))} ${labels.clusterName}=${name}`],
    },
  );
}
