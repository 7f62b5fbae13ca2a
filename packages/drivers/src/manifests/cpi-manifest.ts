import type { KubeObject } from '@slipway/kube';
import type { PolicyRule } from '@slipway/runtime';
import { cpiDaemonSet, systemNamespace } from '../api/index.js';
import { compareVersions } from '../matrix/index.js';
import {
  allow,
  binding,
  clusterRole,
  controlPlaneAffinity,
  controlPlaneTolerations,
  serviceAccount,
  uninitializedToleration,
} from './objects.js';

const account = { name: 'cloud-controller-manager', namespace: systemNamespace };
const labels = { name: cpiDaemonSet, component: 'cloud-controller-manager', tier: 'control-plane' };

/** Returns the objects of the cloud provider in one version, without its configuration, which is rendered separately. */
export function cpiManifest(version: string): KubeObject[] {
  return [
    serviceAccount(account.namespace, account.name),
    clusterRole('system:cloud-controller-manager', rulesOf(version)),
    binding(
      'ClusterRoleBinding',
      { name: 'system:cloud-controller-manager' },
      { kind: 'ClusterRole', name: 'system:cloud-controller-manager' },
      account,
    ),
    binding(
      'RoleBinding',
      { name: 'servicecatalog.k8s.io:apiserver-authentication-reader', namespace: systemNamespace },
      { kind: 'Role', name: 'extension-apiserver-authentication-reader' },
      account,
    ),
    daemonSet(version),
  ];
}

function rulesOf(version: string): PolicyRule[] {
  return [
    allow('', 'events', 'create patch update'),
    allow('', 'nodes', '*'),
    allow('', 'nodes/status services/status', 'patch'),
    allow('', 'services', 'list patch update watch'),
    allow('', 'serviceaccounts endpoints', 'create get list watch update'),
    allow('', 'persistentvolumes', 'get list update watch'),
    ...(compareVersions(version, '1.36.0') >= 0 ? [allow('discovery.k8s.io', 'endpointslices', 'get list watch')] : []),
    allow('', 'secrets', 'get list watch'),
    allow('coordination.k8s.io', 'leases', 'create get list watch update'),
  ];
}

function daemonSet(version: string): KubeObject {
  const mounts = [{ name: 'vsphere-config-volume', mountPath: '/etc/cloud', readOnly: true }];
  const container = {
    name: cpiDaemonSet,
    image: `registry.k8s.io/cloud-pv-vsphere/cloud-provider-vsphere:v${version}`,
    args: ['--cloud-provider=vsphere', '--v=2', '--cloud-config=/etc/cloud/vsphere.conf'],
    resources: { requests: { cpu: '200m' } },
    volumeMounts: mounts,
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: cpiDaemonSet, namespace: systemNamespace, labels },
    spec: {
      selector: { matchLabels: { name: cpiDaemonSet } },
      updateStrategy: { type: 'RollingUpdate' },
      template: {
        metadata: { labels },
        spec: {
          affinity: controlPlaneAffinity,
          containers: [container],
          hostNetwork: true,
          priorityClassName: 'system-node-critical',
          securityContext: { runAsUser: 1001 },
          serviceAccountName: account.name,
          tolerations: [
            uninitializedToleration,
            ...controlPlaneTolerations,
            { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoSchedule' },
          ],
          volumes: [{ name: 'vsphere-config-volume', configMap: { name: 'vsphere-cloud-config' } }],
        },
      },
    },
  };
}
