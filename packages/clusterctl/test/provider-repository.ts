import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { labelOf, type ProviderConfig, type ProviderType } from '../src/index.js';
import { stringifyYaml } from '@slipway/kube';

export interface TestRelease {
  readonly name: string;
  readonly type: ProviderType;
  readonly version: string;
  /** The contract of this version's series. Other series keep theirs. */
  readonly contract?: string;
  readonly objects?: readonly object[];
}

/** Writes releases to a directory in clusterctl's layout, each with a Namespace, a CRD and a manager. */
export function writeReleases(folder: string, releases: readonly TestRelease[]): ProviderConfig[] {
  const providers = new Map<string, ProviderConfig>();
  for (const release of releases) {
    const label = labelOf(release);
    const place = join(folder, label, release.version);
    mkdirSync(place, { recursive: true });
    const series = releases.filter((each) => labelOf(each) === label).map(seriesOf);
    const metadata = { apiVersion: 'clusterctl.cluster.x-k8s.io/v1alpha3', kind: 'Metadata', releaseSeries: series };
    writeFileSync(join(place, 'metadata.yaml'), stringifyYaml(metadata));
    const objects = [...componentsOf(release), ...(release.objects ?? [])];
    writeFileSync(join(place, 'components.yaml'), objects.map((object) => stringifyYaml(object)).join('---\n'));
    providers.set(label, {
      name: release.name,
      type: release.type,
      url: join(folder, label, 'latest', 'components.yaml'),
    });
  }
  return [...providers.values()];
}

function seriesOf({ version, contract = 'v1beta2' }: TestRelease): object {
  const [major, minor] = version.slice(1).split('.').map(Number);
  return { major, minor, contract };
}

export function definition(plural: string, kind: string, group: string): object {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: [{ name: 'v1beta2', served: true, storage: true, schema }],
    },
  };
}

function componentsOf(release: TestRelease): object[] {
  const label = labelOf(release);
  const namespace = `${label}-system`;
  const kind = release.type === 'CoreProvider' ? 'Cluster' : `${kindName(label)}Thing`;
  const group = release.type === 'CoreProvider' ? 'cluster.x-k8s.io' : 'things.x-k8s.io';
  const labels = { app: label };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'manager', namespace } },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    definition(`${kind.toLowerCase()}s`, kind, group),
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: `${namespace}-${release.version}-role` },
      rules: [],
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'controller-manager', namespace },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [
              { name: 'manager', image: `registry.test/${label}:${release.version}`, args: ['${ARGUMENT:=none}'] },
            ],
          },
        },
      },
    },
  ];
}

function kindName(label: string): string {
  return label.replaceAll(/(?:^|-)(\w)/g, (_whole, letter: string) => letter.toUpperCase());
}
