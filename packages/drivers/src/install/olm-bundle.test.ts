import { parseYamlValue } from '@slipway/kube';
import { expect, it } from 'vitest';
import { csiNamespace, systemNamespace } from '../api/index.js';
import { olmBundle } from './olm-bundle.js';

const files = new Map(
  olmBundle({ image: 'registry.example/slipway/manager:v1', version: '1.0.0' }).map(({ name, text }) => [name, text]),
);

interface Rule {
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

it('requests no cluster-wide permissions on Secrets and pods from OLM', () => {
  const [, text = ''] = [...files].find(([name]) => name.endsWith('.clusterserviceversion.yaml')) ?? [];
  const version = parseYamlValue(text) as unknown as {
    spec: { install: { spec: { clusterPermissions: { rules: Rule[] }[] } } };
  };
  const rules = version.spec.install.spec.clusterPermissions.flatMap((one) => one.rules);
  expect(rules.length).toBeGreaterThan(5);
  expect(rules.filter(({ resources }) => resources.includes('secrets') || resources.includes('pods'))).toEqual([]);
});

it('contains the roles of the other namespaces in a file for the administrator', () => {
  const roles = (files.get('roles.yaml') ?? '').split('---\n').map((text) => parseYamlValue(text) as never);
  expect(roles).toMatchObject([
    { kind: 'Role', metadata: { namespace: systemNamespace } },
    { kind: 'RoleBinding', metadata: { namespace: systemNamespace } },
    { kind: 'Role', metadata: { namespace: csiNamespace } },
    { kind: 'RoleBinding', metadata: { namespace: csiNamespace } },
  ]);
});
