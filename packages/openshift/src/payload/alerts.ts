import type { KubeObject } from '@slipway/kube';
import { namespaces, operatorName } from '../names.js';

export interface Alert {
  readonly name: string;
  readonly expression: string;
  readonly for: string;
  readonly severity: 'warning' | 'critical';
  readonly summary: string;
  readonly description: string;
}

/** What users suffer from, not what may lie behind it. */
export const alerts: readonly Alert[] = [
  {
    name: 'ClusterAPIMachineWithoutValidNode',
    expression: 'capi_machine_created_timestamp_seconds{node=""} > 0',
    for: '60m',
    severity: 'warning',
    summary: 'Machine {{ $labels.name }} has no Node.',
    description:
      'The machine {{ $labels.namespace }}/{{ $labels.name }} has had no Node for more than 60 minutes. Look at its conditions, and for certificate requests that wait: oc get csr.',
  },
  {
    name: 'ClusterAPIMachineNotRunning',
    expression: 'capi_machine_created_timestamp_seconds{phase!="Running"} > 0',
    for: '60m',
    severity: 'warning',
    summary: 'Machine {{ $labels.name }} is in phase {{ $labels.phase }}.',
    description:
      'The machine {{ $labels.namespace }}/{{ $labels.name }} has been in phase {{ $labels.phase }} for more than 60 minutes. Its conditions say what it waits for: oc describe machines.cluster.x-k8s.io.',
  },
  {
    name: 'ClusterAPIOperatorDown',
    expression: `absent(up{job="${operatorName}"} == 1)`,
    for: '5m',
    severity: 'critical',
    summary: 'The operator of Cluster API is down.',
    description:
      'No instance of cluster-capi-operator has answered for 5 minutes. Machines that there are keep running, and those of Machine API are not concerned; machines of Cluster API are neither made nor deleted.',
  },
  {
    name: 'ClusterAPIOperatorDegraded',
    expression: 'cluster_operator_conditions{name="cluster-api",condition="Degraded"} == 1',
    for: '10m',
    severity: 'warning',
    summary: 'The operator of Cluster API is degraded.',
    description: 'The Degraded condition of the ClusterOperator says why: oc get clusteroperator cluster-api -o yaml.',
  },
  {
    name: 'ClusterAPIMetricsCollectionFailing',
    expression: 'capi_operator_collector_up == 0',
    for: '5m',
    severity: 'warning',
    summary: 'The operator of Cluster API cannot read machines.',
    description: 'For 5 minutes no numbers about machines could be collected: alerts about machines may be missing.',
  },
  {
    name: 'ClusterAPIMigrationNotSynchronized',
    expression: 'capi_operator_migration_not_synchronized == 1',
    for: '30m',
    severity: 'warning',
    summary: '{{ $labels.kind }} {{ $labels.name }} is not migrated.',
    description:
      'It was asked more than 30 minutes ago that another API decides about {{ $labels.kind }} {{ $labels.name }}, and the two sides are not synchronized. Its Synchronized condition says why.',
  },
  {
    name: 'ClusterAPIProviderNotReady',
    expression: 'capi_operator_provider_ready == 0',
    for: '10m',
    severity: 'warning',
    summary: 'Provider {{ $labels.name }} is not ready.',
    description: 'The {{ $labels.kind }} {{ $labels.name }} has not been ready for 10 minutes. Its conditions say why.',
  },
  {
    name: 'MachineApproverMaxPendingCSRsReached',
    expression: 'mapi_current_pending_csr > mapi_max_pending_csr',
    for: '5m',
    severity: 'warning',
    summary: 'Certificate requests of kubelets are not approved any more.',
    description:
      'More requests wait than there are machines and a hundred more, so that none is approved. Find what makes them, for example with oc get csr, and check that the nodelink controller gives machines their nodes.',
  },
];

export function prometheusRuleSpec() {
  return {
    groups: [
      {
        name: 'cluster-api',
        rules: alerts.map(({ name, expression, for: time, severity, summary, description }) => ({
          alert: name,
          expr: expression,
          for: time,
          labels: { severity },
          annotations: { summary, description },
        })),
      },
    ],
  };
}

export function monitoringObjects(): readonly KubeObject[] {
  const namespace = namespaces.clusterApi;
  const apiVersion = 'monitoring.coreos.com/v1';
  const serverName = `${operatorName}.${namespace}.svc`;
  return [
    { apiVersion, kind: 'PrometheusRule', metadata: { namespace, name: operatorName }, spec: prometheusRuleSpec() },
    {
      apiVersion,
      kind: 'ServiceMonitor',
      metadata: { namespace, name: operatorName },
      spec: {
        selector: { matchLabels: { 'k8s-app': operatorName } },
        endpoints: [
          {
            port: 'metrics',
            scheme: 'https',
            interval: '30s',
            tlsConfig: { caFile: '/etc/prometheus/configmaps/serving-certs-ca-bundle/service-ca.crt', serverName },
          },
        ],
      },
    },
  ];
}
