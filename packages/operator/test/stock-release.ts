import { componentsFiles, labelOf, type ProviderType } from '@slipway/clusterctl';
import { stringifyYaml } from '@slipway/kube';

export interface StockRelease {
  readonly name: string;
  readonly type: ProviderType;
  readonly version: string;
  readonly contract?: string;
  /** Additional objects. */
  readonly more?: readonly object[];
}

export interface StockFiles {
  readonly metadata: string;
  readonly components: string;
}

/** Namespace in the generated manifest. */
const writtenFor = 'stock-system';

/** Files of a release, in the form that kustomize generates for upstream providers. */
export function stockFiles(release: StockRelease): StockFiles {
  const { version, contract = 'v1beta2' } = release;
  const [major, minor] = version.slice(1).split('.').map(Number);
  const series = [{ major, minor, contract }];
  return {
    metadata: stringifyYaml({
      apiVersion: 'clusterctl.cluster.x-k8s.io/v1alpha3',
      kind: 'Metadata',
      releaseSeries: series,
    }),
    components: stockObjects(release)
      .map((object) => stringifyYaml(object))
      .join('---\n'),
  };
}

/** Files of a release by file name. */
export function stockFolder(release: StockRelease): Record<string, string> {
  const { metadata, components } = stockFiles(release);
  return { 'metadata.yaml': metadata, [componentsFiles[release.type]]: components };
}

export function kindOf({ name, type }: Pick<StockRelease, 'name' | 'type'>): string {
  const words = labelOf({ name, type }).split('-');
  return `${words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')}Thing`;
}

export function managerName({ name, type }: Pick<StockRelease, 'name' | 'type'>): string {
  return `ca-${labelOf({ name, type })}-controller-manager`;
}

function stockObjects(release: StockRelease): readonly object[] {
  const label = labelOf(release);
  const labels = { 'cluster.x-k8s.io/provider': label };
  const metadata = (name: string): object => ({ name: `${label}-${name}`, namespace: writtenFor, labels });
  const clusterWide = (name: string): object => ({ name: `${label}-${name}`, labels });
  const subjects = [{ kind: 'ServiceAccount', name: `${label}-manager`, namespace: writtenFor }];
  const service = { name: `${label}-webhook-service`, namespace: writtenFor };
  const authority = { 'cert-manager.io/inject-ca-from': `${writtenFor}/${label}-serving-cert` };
  const rbac = 'rbac.authorization.k8s.io/v1';
  const roleOf = (kind: string, name: string): object => ({
    apiGroup: 'rbac.authorization.k8s.io',
    kind,
    name: `${label}-${name}`,
  });
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: writtenFor, labels } },
    definitionOf(release, authority),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata('manager') },
    { apiVersion: rbac, kind: 'Role', metadata: metadata('leader-election-role'), rules: [] },
    {
      apiVersion: rbac,
      kind: 'ClusterRole',
      metadata: clusterWide('manager-role'),
      rules: [{ apiGroups: ['cluster.x-k8s.io'], resources: ['clusters'], verbs: ['get', 'list', 'watch'] }],
    },
    {
      apiVersion: rbac,
      kind: 'RoleBinding',
      metadata: metadata('leader-election-rolebinding'),
      roleRef: roleOf('Role', 'leader-election-role'),
      subjects,
    },
    {
      apiVersion: rbac,
      kind: 'ClusterRoleBinding',
      metadata: clusterWide('manager-rolebinding'),
      roleRef: roleOf('ClusterRole', 'manager-role'),
      subjects,
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...service, labels },
      spec: { ports: [{ port: 443, targetPort: 'webhook-server' }], selector: labels },
    },
    managerOf(release, labels),
    {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: metadata('serving-cert'),
      spec: {
        dnsNames: [`${service.name}.${writtenFor}.svc`, `${service.name}.${writtenFor}.svc.cluster.local`],
        issuerRef: { kind: 'Issuer', name: `${label}-selfsigned-issuer` },
        secretName: `${service.name}-cert`,
      },
    },
    {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Issuer',
      metadata: metadata('selfsigned-issuer'),
      spec: { selfSigned: {} },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { ...clusterWide('validating-webhook-configuration'), annotations: authority },
      webhooks: [
        {
          name: `validation.${label}.cluster.x-k8s.io`,
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { service: { ...service, path: '/validate' } },
          // No process serves this webhook, so its rule must not match any request.
          rules: [
            { apiGroups: ['nothing.x-k8s.io'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['nothings'] },
          ],
        },
      ],
    },
    ...(release.more ?? []),
  ];
}

function definitionOf(release: StockRelease, authority: object): object {
  const kind = kindOf(release);
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.things.x-k8s.io`,
      annotations: authority,
      labels: { 'cluster.x-k8s.io/provider': labelOf(release), 'cluster.x-k8s.io/v1beta2': 'v1' },
    },
    spec: {
      group: 'things.x-k8s.io',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

function managerOf(release: StockRelease, labels: Readonly<Record<string, string>>): object {
  const selector = { ...labels, 'control-plane': 'controller-manager' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: managerName(release), namespace: writtenFor, labels: selector },
    spec: {
      replicas: 1,
      selector: { matchLabels: selector },
      template: {
        metadata: { labels: selector },
        spec: {
          containers: [
            {
              name: 'manager',
              image: `registry.k8s.io/stock/${labelOf(release)}:${release.version}`,
              args: ['--leader-elect', '--feature-gates=MachinePool=${EXP_MACHINE_POOL:=true}', '--v=2'],
              env: [{ name: 'REGION', value: '${REGION:=none}' }],
              readinessProbe: { httpGet: { path: '/readyz', port: 'healthz' } },
              ports: [{ containerPort: 9440, name: 'healthz', protocol: 'TCP' }],
            },
          ],
          serviceAccountName: `${labelOf(release)}-manager`,
          tolerations: [{ effect: 'NoSchedule', key: 'node-role.kubernetes.io/control-plane' }],
        },
      },
    },
  };
}
