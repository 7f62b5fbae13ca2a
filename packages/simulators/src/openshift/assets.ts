import { stringify } from 'yaml';
import { platforms, type ProviderAssets, type ReleaseAssets } from '@slipway/openshift';

const apiVersion = 'clusterctl.cluster.x-k8s.io/v1alpha3';

/** Returns a release in the format of real releases. Each provider consists of one Deployment and the objects that it needs. */
export function simulatedAssets(): ReleaseAssets {
  const infrastructure = platforms.map(({ provider }) => {
    const [major, minor] = [2, 9];
    return [provider, assets(`infrastructure-${provider}`, `${provider}-controller-manager`, major, minor)] as const;
  });
  return { core: assets('cluster-api', 'capi-controller-manager', 1, 12), infrastructure: new Map(infrastructure) };
}

function assets(label: string, deployment: string, major: number, minor: number): ProviderAssets {
  const metadata = { apiVersion, kind: 'Metadata', releaseSeries: [{ major, minor, contract: 'v1beta1' }] };
  const namespace = `${label}-system`;
  const labels = { 'control-plane': 'controller-manager', 'cluster.x-k8s.io/provider': label };
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: deployment, namespace } },
    ...roleObjects(deployment, namespace),
    ...webhookObjects(deployment, namespace),
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: deployment, namespace, labels },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName: deployment,
            containers: [
              { name: 'manager', image: 'to.be/replaced:v99' },
              { name: 'kube-rbac-proxy', image: 'to.be/replaced:v99' },
            ],
          },
        },
      },
    },
  ];
  return {
    version: `v${major}.${minor}.0`,
    metadata: stringify(metadata),
    components: objects.map((object) => stringify(object)).join('---\n'),
  };
}

/** Returns the RBAC objects of the provider's manager. */
function roleObjects(name: string, namespace: string): readonly object[] {
  const apiGroup = 'rbac.authorization.k8s.io';
  const apiVersion = `${apiGroup}/v1`;
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const rules = [{ apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch', 'delete'] }];
  const leases = [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update'] }];
  return [
    { apiVersion, kind: 'ClusterRole', metadata: { name }, rules },
    {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup, kind: 'ClusterRole', name },
      subjects,
    },
    { apiVersion, kind: 'Role', metadata: { name, namespace }, rules: leases },
    {
      apiVersion,
      kind: 'RoleBinding',
      metadata: { name, namespace },
      roleRef: { apiGroup, kind: 'Role', name },
      subjects,
    },
  ];
}

/** Returns the webhook objects, with a certificate from cert-manager as in upstream's manifests. */
function webhookObjects(name: string, namespace: string): readonly object[] {
  const service = `${name}-webhook`;
  const annotations = { 'cert-manager.io/inject-ca-from': `${namespace}/${name}` };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: service, namespace },
      spec: { ports: [{ port: 443 }], selector: { 'control-plane': 'controller-manager' } },
    },
    {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name, namespace },
      spec: { dnsNames: [`${service}.${namespace}.svc`], secretName: `${service}-cert` },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name, annotations },
      webhooks: [],
    },
  ];
}
