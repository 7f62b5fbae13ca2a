import type { KubeObject } from '@slipway/kube';
import { toCustomResourceDefinition } from '@slipway/kube/kit';
import type { PolicyRule } from '@slipway/runtime';
import { csiNamespace, driverKinds, labels, matrixConfigMap, operatorName, operatorNamespace } from '../api/index.js';
import {
  binding,
  clusterRole,
  controlPlaneAffinity,
  controlPlaneTolerations,
  role,
  serviceAccount,
  uninitializedToleration,
} from '../manifests/index.js';
import type { UpdatePolicy } from '../matrix/index.js';
import { type OperatorRules, operatorRules } from './operator-rules.js';
import { watchedResources, writtenObjects } from './written-objects.js';

export interface OperatorInstallation {
  readonly image: string;
  readonly version: string;
  readonly updatePolicy?: UpdatePolicy | undefined;
  readonly imageRegistry?: string | undefined;
  /** Complete image references by role: `cpi`, `csi-driver` … */
  readonly images?: Readonly<Record<string, string>>;
  readonly pullSecrets?: readonly string[];
  readonly matrixUrl?: string | undefined;
  /** Matrix to store in the cluster. If set, the operator does not download a matrix. */
  readonly matrixContent?: string | undefined;
  readonly isOpenShift?: boolean;
  readonly rules?: OperatorRules;
}

const ports = { metrics: 8443, health: 8081 };
const nobody = 65_532;
const marks = { 'control-plane': 'controller-manager', [labels.operator]: 'vdo' };
const account = { name: operatorName, namespace: operatorNamespace };

/** Returns the manifests of the operator in apply order. */
export function operatorManifest(installation: OperatorInstallation): KubeObject[] {
  const rules = installation.rules ?? shippedRules();
  const objects = [
    ...foundation(),
    { ...serviceAccount(account.namespace, account.name), ...pullSecretsOf(installation) },
    clusterRole('vdo-manager-role', rules.cluster),
    binding(
      'ClusterRoleBinding',
      { name: 'vdo-manager-rolebinding' },
      { kind: 'ClusterRole', name: 'vdo-manager-role' },
      account,
    ),
    ...[...rules.namespaced].flatMap(([namespace, own]) => namespacedRole(namespace, own)),
    ...(installation.isOpenShift === true ? securityContextAccess() : []),
    matrixObject(installation),
    metricsService(),
    deployment(installation),
  ];
  return objects.map(marked);
}

/** Returns the namespaces and CRDs that the operator requires, whether it runs in this cluster or not. */
export function foundation(): KubeObject[] {
  return [
    namespaceOf(operatorNamespace),
    namespaceOf(csiNamespace),
    ...driverKinds.map((kind) => toCustomResourceDefinition(kind) as unknown as KubeObject),
  ];
}

export function shippedRules(): OperatorRules {
  return operatorRules(watchedResources(), writtenObjects());
}

function marked(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, labels: { ...marks, ...object.metadata.labels } } };
}

function namespaceOf(name: string): KubeObject {
  const levels = ['enforce', 'audit', 'warn'].map((level) => [`pod-security.kubernetes.io/${level}`, 'privileged']);
  const own = { ...Object.fromEntries(levels), 'security.openshift.io/scc.podSecurityLabelSync': 'false' };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: own } };
}

function namespacedRole(namespace: string, rules: readonly PolicyRule[]): KubeObject[] {
  const name = namespace === operatorNamespace ? 'vdo-leader-election-role' : 'vdo-drivers-role';
  return [
    role(namespace, name, rules),
    binding('RoleBinding', { name: `${name}binding`, namespace }, { kind: 'Role', name }, account),
  ];
}

/** Returns access to OpenShift SCCs: host network for the operator and the cloud provider, privileged for the storage driver. */
function securityContextAccess(): KubeObject[] {
  const use = (name: string): PolicyRule => ({
    apiGroups: ['security.openshift.io'],
    resources: ['securitycontextconstraints'],
    resourceNames: [name],
    verbs: ['use'],
  });
  const subjects: readonly (readonly [string, string, { readonly name: string; readonly namespace: string }])[] = [
    ['vdo-scc-hostnetwork-v2', 'hostnetwork-v2', account],
    ['vdo-scc-hostnetwork', 'hostnetwork', { name: 'cloud-controller-manager', namespace: 'kube-system' }],
    ['vdo-scc-privileged', 'privileged', { name: 'vsphere-csi-node', namespace: csiNamespace }],
  ];
  return subjects.flatMap(([name, constraint, subject]) => [
    clusterRole(name, [use(constraint)]),
    binding('ClusterRoleBinding', { name }, { kind: 'ClusterRole', name }, subject),
  ]);
}

function matrixObject({ matrixUrl, matrixContent }: OperatorInstallation): KubeObject {
  const data = {
    ...(matrixUrl !== undefined && { versionConfigURL: matrixUrl }),
    ...(matrixContent !== undefined && { versionConfigContent: matrixContent }),
    ...((matrixUrl !== undefined || matrixContent !== undefined) && { 'configured-by': 'user' }),
  };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: matrixConfigMap, namespace: operatorNamespace },
    data,
  };
}

function metricsService(): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `${operatorName}-metrics-service`, namespace: operatorNamespace },
    spec: { ports: [{ name: 'https', port: ports.metrics, targetPort: 'metrics' }], selector: marks },
  };
}

function pullSecretsOf({ pullSecrets = [] }: OperatorInstallation): object {
  return pullSecrets.length === 0 ? {} : { imagePullSecrets: pullSecrets.map((name) => ({ name })) };
}

/** Returns the Deployment of the operator. It can run before a CNI or a cloud provider is installed, and is evicted last. */
function deployment(installation: OperatorInstallation): KubeObject {
  const probe = (path: string): object => ({ httpGet: { path, port: 'healthz' } });
  const container = {
    name: 'manager',
    image: installation.image,
    command: ['slipway', 'drivers', 'operator'],
    args: argumentsOf(installation),
    env: [{ name: 'VDO_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }],
    ports: [
      { containerPort: ports.health, name: 'healthz', protocol: 'TCP' },
      { containerPort: ports.metrics, name: 'metrics', protocol: 'TCP' },
    ],
    // On a busy node the start can take longer than three failed liveness probes.
    startupProbe: { ...probe('/healthz'), periodSeconds: 2, failureThreshold: 90 },
    livenessProbe: probe('/healthz'),
    readinessProbe: probe('/readyz'),
    resources: { requests: { cpu: '50m', memory: '192Mi' }, limits: { memory: '192Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
      runAsGroup: nobody,
      runAsUser: nobody,
    },
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: operatorName,
      namespace: operatorNamespace,
      labels: { 'app.kubernetes.io/version': installation.version },
    },
    spec: {
      replicas: 1,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: marks },
      template: {
        metadata: { labels: marks },
        spec: {
          affinity: controlPlaneAffinity,
          containers: [container],
          // Use the DNS of the node: cluster DNS may depend on the drivers.
          dnsPolicy: 'Default',
          hostNetwork: true,
          priorityClassName: 'system-cluster-critical',
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          serviceAccountName: operatorName,
          terminationGracePeriodSeconds: 10,
          tolerations: [
            uninitializedToleration,
            ...controlPlaneTolerations,
            { key: 'node.kubernetes.io/not-ready', operator: 'Exists' },
          ],
        },
      },
    },
  };
}

function argumentsOf({ updatePolicy, imageRegistry, images = {}, pullSecrets = [] }: OperatorInstallation): string[] {
  return [
    '--leader-elect',
    `--health-address=:${ports.health}`,
    `--metrics-address=:${ports.metrics}`,
    ...(updatePolicy === undefined ? [] : [`--update-policy=${updatePolicy}`]),
    ...(imageRegistry === undefined ? [] : [`--image-registry=${imageRegistry}`]),
    ...Object.entries(images).map(([of, image]) => `--image=${of}=${image}`),
    ...pullSecrets.map((name) => `--image-pull-secret=${name}`),
  ];
}
