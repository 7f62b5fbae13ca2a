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

/** Alerts. They report symptoms, not possible causes. */
export const alerts: readonly Alert[] = [
  {
    name: 'ClusterAPIMachineWithoutValidNode',
    expression: 'capi_machine_created_timestamp_seconds{node=""} > 0',
    for: '60m',
    severity: 'warning',
    summary: 'Machine {{ $labels.name }} has no Node.',
    description:
      'The machine {{ $labels.namespace }}/{{ $labels.name }} has had no Node for more than 60 minutes. Check its conditions, and look for pending certificate signing requests: oc get csr.',
  },
  {
    name: 'ClusterAPIMachineNotRunning',
    expression: 'capi_machine_created_timestamp_seconds{phase!="Running"} > 0',
    for: '60m',
    severity: 'warning',
    summary: 'Machine {{ $labels.name }} is in phase {{ $labels.phase }}.',
    description:
      'The machine {{ $labels.namespace }}/{{ $labels.name }} has been in phase {{ $labels.phase }} for more than 60 minutes. Its conditions report the reason: oc describe machines.cluster.x-k8s.io.',
  },
  {
    name: 'ClusterAPIOperatorDown',
    expression: `absent(up{job="${operatorName}"} == 1)`,
    for: '5m',
    severity: 'critical',
    summary: 'The Cluster API operator is down.',
    description:
      'No instance of cluster-capi-operator has responded for 5 minutes. Existing machines keep running and Machine API is not affected, but Cluster API machines are neither created nor deleted.',
  },
  {
    name: 'ClusterAPIOperatorDegraded',
    expression: 'cluster_operator_conditions{name="cluster-api",condition="Degraded"} == 1',
    for: '10m',
    severity: 'warning',
    summary: 'The Cluster API operator is degraded.',
    description:
      'The Degraded condition of the ClusterOperator reports the reason: oc get clusteroperator cluster-api -o yaml.',
  },
  {
    name: 'ClusterAPIMetricsCollectionFailing',
    expression: 'capi_operator_collector_up == 0',
    for: '5m',
    severity: 'warning',
    summary: 'The Cluster API operator cannot read machines.',
    description: 'Machine metrics could not be collected for 5 minutes: alerts about machines may be missing.',
  },
  {
    name: 'ClusterAPIMigrationNotSynchronized',
    expression: 'capi_operator_migration_not_synchronized == 1',
    for: '30m',
    severity: 'warning',
    summary: '{{ $labels.kind }} {{ $labels.name }} is not migrated.',
    description:
      'The migration of {{ $labels.kind }} {{ $labels.name }} to another authoritative API was requested more than 30 minutes ago, but the resources are not synchronized. Its Synchronized condition reports the reason.',
  },
  {
    name: 'ClusterAPIProviderNotReady',
    expression: 'capi_operator_provider_ready == 0',
    for: '10m',
    severity: 'warning',
    summary: 'Provider {{ $labels.name }} is not ready.',
    description:
      'The {{ $labels.kind }} {{ $labels.name }} has not been ready for 10 minutes. Its conditions report the reason.',
  },
  {
    name: 'MachineApproverMaxPendingCSRsReached',
    expression: 'mapi_current_pending_csr > mapi_max_pending_csr',
    for: '5m',
    severity: 'warning',
    summary: 'Certificate signing requests of kubelets are no longer approved.',
    description:
      'The number of pending requests exceeds the number of machines by more than a hundred, so none is approved. Find the client that creates them, for example with oc get csr, and check that the nodelink controller links machines to their nodes.',
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
