import type { KubeObject } from '@slipway/kube';
import { namespaces } from '../names.js';

const name = 'machine-approver-capi';
const role = `system:openshift:controller:${name}`;
const account = 'machine-approver-sa';
const namespace = namespaces.approver;
const rbacApi = 'rbac.authorization.k8s.io';

/** Returns the objects of an approver for kubelets of Cluster API machines. It runs in addition to that of Machine API. */
export function approverObjects(image: string): readonly KubeObject[] {
  return [
    {
      apiVersion: `${rbacApi}/v1`,
      kind: 'ClusterRole',
      metadata: { name: role },
      rules: [{ apiGroups: ['cluster.x-k8s.io'], resources: ['machines'], verbs: ['get', 'list', 'watch'] }],
    },
    {
      apiVersion: `${rbacApi}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: role },
      roleRef: { apiGroup: rbacApi, kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'ServiceAccount', namespace, name: account }],
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace, name, labels: { app: name } },
      spec: {
        replicas: 1,
        strategy: { type: 'Recreate' },
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name } }, spec: podSpec(image) },
      },
    },
  ];
}

function podSpec(image: string) {
  return {
    hostNetwork: true,
    serviceAccountName: account,
    priorityClassName: 'system-cluster-critical',
    nodeSelector: { 'node-role.kubernetes.io/control-plane': '' },
    tolerations: [
      { key: 'node-role.kubernetes.io/master', operator: 'Exists', effect: 'NoSchedule' },
      { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoSchedule' },
    ],
    containers: [
      {
        name: 'machine-approver-controller',
        image,
        // The path in the image of the release payload, which is upstream's or Slipway's.
        command: ['/usr/bin/machine-approver'],
        // No API version is given: if it were no longer served, all approvals would stop silently.
        args: [
          '--apigroup=cluster.x-k8s.io',
          '--disable-status-controller=true',
          '--max-concurrent-reconciles=10',
          `--leader-elect-resource-namespace=${namespace}`,
          '--leader-elect-resource-name=capi-cluster-machine-approver-leader',
        ],
        env: [
          { name: 'METRICS_BIND_ADDRESS', value: '127.0.0.1' },
          { name: 'METRICS_PORT', value: '9193' },
        ],
        resources: { requests: { cpu: '10m', memory: '50Mi' } },
        terminationMessagePolicy: 'FallbackToLogsOnError',
      },
    ],
  };
}
