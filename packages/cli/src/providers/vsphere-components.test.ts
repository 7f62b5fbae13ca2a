import { labelOf } from '@slipway/clusterctl';
import { type KubeObject, parseYamlDocuments } from '@slipway/kube';
import { beforeAll, describe, expect, it } from 'vitest';
import { componentsText } from './components-text.js';
import { providerList } from './provider-list.js';

interface Role extends KubeObject {
  readonly rules: readonly { readonly apiGroups: readonly string[]; readonly verbs: readonly string[] }[];
  readonly aggregationRule?: { readonly clusterRoleSelectors: readonly { matchLabels: Record<string, string> }[] };
}

const both = ['infrastructure.cluster.x-k8s.io', 'vmware.infrastructure.cluster.x-k8s.io'];
const managers = ['cluster-api', 'control-plane-kubeadm', 'infrastructure-vsphere'];
const objects = new Map<string, readonly KubeObject[]>();
beforeAll(async () => {
  for (const provider of providerList.filter((each) => managers.includes(labelOf(each)))) {
    const text = await componentsText(labelOf(provider));
    objects.set(
      labelOf(provider),
      parseYamlDocuments(text).map(({ value }) => value as unknown as KubeObject),
    );
  }
}, 60_000);

const rolesOf = (label: string): Role[] =>
  (objects.get(label) ?? []).filter(({ kind }) => kind === 'ClusterRole') as Role[];
/** Returns the API groups that a manager can write to when the roles of all providers exist. */
function groupsOf(label: string): string[] {
  const all = [...objects.keys()].flatMap(rolesOf);
  const aggregated = rolesOf(label)
    .flatMap(({ aggregationRule }) => aggregationRule?.clusterRoleSelectors ?? [])
    .flatMap(({ matchLabels }) =>
      all.filter(({ metadata }) =>
        Object.entries(matchLabels).every(([key, value]) => metadata.labels?.[key] === value),
      ),
    );
  const rules = [...rolesOf(label), ...aggregated].flatMap((role) => role.rules);
  return rules.filter(({ verbs }) => verbs.includes('create')).flatMap(({ apiGroups }) => apiGroups);
}

describe('the components of the vSphere provider', () => {
  interface Definition {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  }

  it('contain the CRDs of both API groups in the same versions', () => {
    const definitions = (objects.get('infrastructure-vsphere') ?? [])
      .filter(({ kind }) => kind === 'CustomResourceDefinition')
      .map((each) => each['spec'] as Definition)
      // HAProxyLoadBalancer is served in one group only: upstream served it in versions that have been removed.
      .filter(({ names }) => names.plural !== 'haproxyloadbalancers');
    for (const group of both) {
      const own = definitions.filter((each) => each.group === group);
      expect(own.length).toBeGreaterThan(3);
      for (const { versions } of own) expect(versions.map(({ name }) => name).sort()).toEqual(['v1beta1', 'v1beta2']);
    }
  });

  it.each(managers)('allow the manager of %s to write to both API groups', (label) => {
    expect(groupsOf(label)).toEqual(expect.arrayContaining(both));
  });

  it('do not grant their manager the permissions of other managers', () => {
    const own = new Set(
      rolesOf('infrastructure-vsphere').flatMap(({ rules }) => rules.flatMap((rule) => rule.apiGroups)),
    );
    expect(groupsOf('infrastructure-vsphere').filter((group) => !own.has(group))).toEqual([]);
  });
});
