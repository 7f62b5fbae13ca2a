/** Calico by the operators that already install Apps, at a version of the user's choice, before there is a network. */
export const kvmAddOns = `
apiVersion: v1
kind: ConfigMap
metadata:
  name: "\${CLUSTER_NAME}-cluster-values"
  namespace: "\${NAMESPACE}"
  labels:
    cluster.x-k8s.io/cluster-name: "\${CLUSTER_NAME}"
    giantswarm.io/cluster: "\${CLUSTER_NAME}"
data:
  values: |
    baseDomain: "\${CLUSTER_NAME}.k8s.\${BASE_DOMAIN:=example.com}"
    clusterID: "\${CLUSTER_NAME}"
    clusterDNSIP: "\${CLUSTER_DNS_IP:=172.31.0.10}"
    provider: kvm
    chartOperator:
      cni:
        install: true
    cluster:
      calico:
        CIDR: "\${POD_IP_RANGE:=172.24.0.0/16}"
      kubernetes:
        API:
          clusterIPRange: "\${SERVICE_IP_RANGE:=172.31.0.0/16}"
        DNS:
          IP: "\${CLUSTER_DNS_IP:=172.31.0.10}"
---
apiVersion: application.giantswarm.io/v1alpha1
kind: App
metadata:
  name: "\${CLUSTER_NAME}-calico"
  namespace: "\${NAMESPACE}"
  labels:
    app-operator.giantswarm.io/version: "\${APP_OPERATOR_VERSION:=0.0.0}"
    app.kubernetes.io/name: calico
    cluster.x-k8s.io/cluster-name: "\${CLUSTER_NAME}"
    giantswarm.io/cluster: "\${CLUSTER_NAME}"
    giantswarm.io/managed-by: slipway
spec:
  catalog: "\${APP_CATALOG:=default}"
  name: calico
  namespace: kube-system
  version: "\${CALICO_VERSION}"
  kubeConfig:
    inCluster: false
    context:
      name: "\${CLUSTER_NAME}-admin@\${CLUSTER_NAME}"
    secret:
      name: "\${CLUSTER_NAME}-kubeconfig"
      namespace: "\${NAMESPACE}"
  config:
    configMap:
      name: "\${CLUSTER_NAME}-cluster-values"
      namespace: "\${NAMESPACE}"
`;

/** For the manager, where the cluster has the kinds for it: not among the components, which any cluster takes. */
const verticalPodAutoscaler = `apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata:
  name: capk-controller-manager
  namespace: capk-system
  labels:
    cluster.x-k8s.io/provider: infrastructure-kvm
spec:
  targetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: capk-controller-manager
  updatePolicy:
    updateMode: Auto
  resourcePolicy:
    containerPolicies:
    - containerName: manager
      controlledValues: RequestsAndLimits
      maxAllowed:
        cpu: 500m
        memory: 500Mi
`;

/** What alerts of the operator before this one ask for, from what the manager measures. */
function operatorkitRules(): string {
  const kinds = [
    { kind: 'KVMCluster', controller: 'kvmcluster' },
    { kind: 'KVMMachine', controller: 'kvmmachine' },
  ];
  const label = (expression: string, name: string, value: string): string =>
    `label_replace(${expression}, "${name}", "${value}", "", "")`;
  // One rule for all kinds: Prometheus wants every record of a group once.
  const of = (record: string, metric: (kind: string) => string): string => {
    const expressions = kinds.map(({ kind, controller }) =>
      label(label(metric(kind.toLowerCase()), 'kind', kind), 'controller', `${controller}-controller`),
    );
    return `  - record: ${record}\n    expr: '${expressions.join(' or ')}'`;
  };
  return [
    '# Rules for Prometheus: the names that alerts of operatorkit ask for.',
    'groups:',
    '- name: capk-operatorkit',
    '  rules:',
    of('operatorkit_controller_creation_timestamp', (kind) => `capi_${kind}_created`),
    of('operatorkit_controller_deletion_timestamp', (kind) => `capi_${kind}_deletion_timestamp`),
    of('operatorkit_controller_last_reconciled', (kind) => `max(capi_${kind}_last_reconciled)`),
    of(
      'operatorkit_controller_error_total',
      (kind) => `sum(controller_runtime_reconcile_errors_total{controller="${kind}"})`,
    ),
    '',
  ].join('\n');
}

/** The entry of this provider in a list of what a version of an installation is made of. */
const release = `apiVersion: release.giantswarm.io/v1alpha1
kind: Release
metadata:
  name: "v\${RELEASE_VERSION}"
spec:
  state: wip
  date: "\${RELEASE_DATE}"
  apps:
  - name: calico
    version: "\${CALICO_VERSION}"
  components:
  - name: cluster-api-core
    version: "\${CLUSTER_API_VERSION:=1.14.2}"
  - name: cluster-api-bootstrap-kubeadm
    version: "\${CLUSTER_API_VERSION:=1.14.2}"
  - name: cluster-api-control-plane
    version: "\${CLUSTER_API_VERSION:=1.14.2}"
  - name: cluster-api-kvm
    version: "\${CLUSTER_API_KVM_VERSION:=1.14.2}"
    releaseOperatorDeploy: true
`;

/** What a release has beside components and templates. */
export const kvmArtifacts: Readonly<Record<string, string>> = {
  'vertical-pod-autoscaler.yaml': verticalPodAutoscaler,
  'prometheus-rules.yaml': operatorkitRules(),
  'release.yaml': release,
};
