import type { KubeObject } from '@slipway/kube';
import { manifestLabel } from '../provider/index.js';
import {
  accountName,
  namespaceOf,
  ownLabels,
  podServiceName,
  type ProviderDeployment,
  webhookServiceName,
} from './provider-deployment.js';

const ports = { diagnostics: 8443, health: 9440, webhooks: 9443 };
const nobody = 65_532;

/** Returns the Service through which the API server calls the webhooks. */
export function webhookService(provider: ProviderDeployment): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: webhookServiceName(provider),
      namespace: namespaceOf(provider),
      labels: { ...ownLabels(provider) },
    },
    spec: { ports: [{ port: 443, targetPort: 'webhook-server' }], selector: selectorOf(provider) },
  };
}

/** Returns the headless Service that resolves to the manager's pods, if the manager serves clusters on its own ports. */
export function podServices(provider: ProviderDeployment): KubeObject[] {
  if (provider.hostVariable === undefined) return [];
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: podServiceName(provider),
        namespace: namespaceOf(provider),
        labels: { ...ownLabels(provider) },
      },
      // A pod that is not ready is included: a new leader serves its clusters before its readiness probe succeeds.
      spec: { clusterIP: 'None', publishNotReadyAddresses: true, selector: selectorOf(provider) },
    },
  ];
}

function selectorOf(provider: ProviderDeployment): Readonly<Record<string, string>> {
  return { ...ownLabels(provider), 'control-plane': 'controller-manager' };
}

/** Returns the Deployment of `slipway manager` for one provider, without any privileges on the node. */
export function managerDeployment(provider: ProviderDeployment): KubeObject {
  const selector = selectorOf(provider);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `${provider.prefix}-controller-manager`, namespace: namespaceOf(provider), labels: selector },
    spec: {
      replicas: 1,
      selector: { matchLabels: selector },
      template: {
        metadata: { labels: selector },
        spec: {
          containers: [managerContainer(provider)],
          serviceAccountName: accountName(provider),
          terminationGracePeriodSeconds: 10,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          tolerations: ['master', 'control-plane'].map((role) => ({
            effect: 'NoSchedule',
            key: `node-role.kubernetes.io/${role}`,
          })),
        },
      },
    },
  };
}

function managerContainer(provider: ProviderDeployment): object {
  const probe = (path: string): object => ({ httpGet: { path, port: 'healthz' } });
  const { hostVariable, relatedImages = {} } = provider;
  const field = (name: string, fieldPath: string): object => ({ name, valueFrom: { fieldRef: { fieldPath } } });
  return {
    // The container name that the clusterctl contract requires.
    name: 'manager',
    image: provider.image,
    command: ['slipway', 'manager'],
    args: argumentsOf(provider),
    env: [
      field('POD_NAMESPACE', 'metadata.namespace'),
      field('POD_NAME', 'metadata.name'),
      field('POD_UID', 'metadata.uid'),
      field('POD_IP', 'status.podIP'),
      ...Object.entries(relatedImages).map(([name, value]) => ({ name, value })),
      // Kubernetes replaces $(POD_NAMESPACE), because providers can be installed into other namespaces.
      ...(hostVariable === undefined
        ? []
        : [{ name: hostVariable, value: `${podServiceName(provider)}.$(POD_NAMESPACE).svc` }]),
    ],
    ports: [
      { containerPort: ports.health, name: 'healthz', protocol: 'TCP' },
      { containerPort: ports.diagnostics, name: 'metrics', protocol: 'TCP' },
      { containerPort: ports.webhooks, name: 'webhook-server', protocol: 'TCP' },
    ],
    // Replaces the liveness probe until the manager serves: on a busy node its start can take longer than three failed probes.
    startupProbe: { ...probe('/healthz'), periodSeconds: 2, failureThreshold: 90 },
    readinessProbe: probe('/readyz'),
    livenessProbe: probe('/healthz'),
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      privileged: false,
      readOnlyRootFilesystem: true,
      runAsUser: nobody,
      runAsGroup: nobody,
    },
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
}

/**
 * Returns the arguments of the manager. Variables have the names of upstream's manifests, so that settings of users keep working.
 */
function argumentsOf(provider: ProviderDeployment): string[] {
  const gates = Object.entries(provider.featureGates).map(([gate, value]) => `${gate}=${value}`);
  return [
    `--provider=${manifestLabel(provider.name, provider.type)}`,
    ...(provider.plugin === undefined ? [] : [`--plugin=${provider.plugin}`]),
    '--leader-elect',
    `--diagnostics-address=\${CAPI_DIAGNOSTICS_ADDRESS:=:${ports.diagnostics}}`,
    '--insecure-diagnostics=${CAPI_INSECURE_DIAGNOSTICS:=false}',
    `--webhook-service=${webhookServiceName(provider)}`,
    ...(gates.length > 0 ? [`--feature-gates=${gates.join(',')}`] : []),
  ];
}
