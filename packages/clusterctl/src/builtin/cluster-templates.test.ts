import { readdirSync, readFileSync } from 'node:fs';
import { type KubeObject, parseYamlDocuments } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { processTemplate, templateVariables } from '../envsubst/index.js';
import { devTemplates, kvmTemplates, vsphereTemplates } from './cluster-templates.js';

const templates = new URL('../../templates/', import.meta.url);
const page = readFileSync(new URL('../../../../docs/reference/template-variables.md', import.meta.url), 'utf8');
const providers = readdirSync(templates, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const filesOf = (provider: string): string[] => readdirSync(new URL(provider, templates)).sort();
const textOf = (provider: string, file: string): string =>
  readFileSync(new URL(`${provider}/${file}`, templates), 'utf8');

/** Parses the documents of a template, with every variable set to 1. */
function documents(text: string): KubeObject[] {
  return parseYamlDocuments(processTemplate(text, () => '1')).map(({ value }) => value as unknown as KubeObject);
}

describe('cluster templates', () => {
  it('every file is offered by a provider', () => {
    const offered = { dev: devTemplates, kvm: kvmTemplates, vsphere: vsphereTemplates };
    const expected = Object.entries(offered).map(([provider, files]) => [
      provider,
      [...Object.keys(files), ...(provider === 'vsphere' ? ['driver-resources.yaml'] : [])].sort(),
    ]);
    expect(providers.map((provider) => [provider, filesOf(provider)])).toEqual(expected);
  });

  it.each(providers.flatMap((provider) => filesOf(provider).map((file) => [provider, file] as const)))(
    '%s/%s is YAML of objects with names once its variables are substituted',
    (provider, file) => {
      const text = textOf(provider, file);
      expect(text).toMatch(/[^\n]\n$/);
      expect(text).not.toMatch(/[ \t]$|\t/m);
      // Prometheus reads the rules file, whose document is not an API object.
      const isNamed = ({ apiVersion, kind, metadata }: KubeObject): boolean =>
        typeof apiVersion === 'string' && typeof kind === 'string' && metadata.name !== undefined;
      const objects = documents(text);
      expect(objects.length).toBeGreaterThan(0);
      expect(objects.filter((object) => file !== 'prometheus-rules.yaml' && !isNamed(object))).toEqual([]);
    },
  );

  it.each(providers)('the container images of %s can be replaced by those of a mirror', (provider) => {
    const images = filesOf(provider).flatMap((file) => textOf(provider, file).match(/(?<=\bimage: )\S+/g) ?? []);
    expect(images.filter((image) => !/^\$\{[A-Z_]+:=\S+\}$/.test(image))).toEqual([]);
  });

  it('a vCenter template ends with the manifests of the drivers, indented', () => {
    const drivers = {
      cloudAccount: 'a: $1\n\nb: 2\n',
      cloudManifests: 'c',
      storageAccount: 'd',
      storageManifests: 'e',
    };
    const text = vsphereTemplates['cluster-template.yaml']?.(drivers) ?? '';
    expect(text).toContain('  data: |\n    a: $1\n\n    b: 2\n---\n');
    expect(text).toMatch(/ {4}c\n$/);
    expect(text).not.toMatch(/^ *<\w+>$/m);
  });
});

describe('the page of template variables', () => {
  const section = (title: string): string => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = (title: string): string[][] =>
    [...section(title).matchAll(/^\| `([A-Z0-9_]+)` \| (.*?) \|/gm)].map(([, name = '', second = '']) => [
      name,
      second,
    ]);
  const byFlag = rows('All providers').map(([name = '']) => name);

  it.each(providers)('lists the variables of %s with their defaults', (provider) => {
    const found = new Map<string, Set<string>>();
    for (const file of filesOf(provider))
      for (const { name, default: text } of templateVariables(textOf(provider, file)))
        if (!byFlag.includes(name))
          found.set(name, (found.get(name) ?? new Set()).add(text === undefined ? 'required' : `\`${text}\``));
    const expected = [...found.keys()].sort().map((name) => [name, [...(found.get(name) ?? [])].sort().join(' or ')]);
    expect(rows(provider)).toEqual(expected);
  });
});

describe('flavors', () => {
  const named = (provider: string, file: string): Map<string, string> =>
    new Map(
      documents(textOf(provider, file)).map((object) => [
        `${object.kind} ${object.metadata.name ?? ''}`,
        JSON.stringify(object),
      ]),
    );

  it.each([
    ['kvm', 'apps', ['App 1-calico', 'ConfigMap 1-cluster-values']],
    ['kvm', 'flatcar', ['KubeadmConfigTemplate 1-worker', 'KubeadmControlPlane 1']],
    ['kvm', 'kube-vip', ['KVMCluster 1', 'KubeadmControlPlane 1']],
    [
      'kvm',
      'local',
      [
        'KVMCluster 1',
        'KVMMachineTemplate 1-control-plane',
        'KVMMachineTemplate 1-worker',
        'KubeadmConfigTemplate 1-worker',
        'KubeadmControlPlane 1',
      ],
    ],
    ['vsphere', 'external-loadbalancer', ['KubeadmControlPlane 1']],
    ['vsphere', 'failure-domains', ['VSphereCluster 1']],
    ['vsphere', 'haproxy', ['HAProxyLoadBalancer 1', 'KubeadmControlPlane 1', 'VSphereCluster 1']],
    ['vsphere', 'ignition', ['KubeadmConfigTemplate 1-md-0', 'KubeadmControlPlane 1']],
    ['vsphere', 'node-ipam', ['VSphereMachineTemplate 1', 'VSphereMachineTemplate 1-worker']],
  ])('%s %s differs from the default flavor in these objects only', (provider, flavor, expected) => {
    const base = named(provider, 'cluster-template.yaml');
    const own = named(provider, `cluster-template-${flavor}.yaml`);
    const names = [...new Set([...base.keys(), ...own.keys()])];
    expect(names.filter((name) => base.get(name) !== own.get(name)).sort()).toEqual(expected);
  });

  it('of vSphere with kube-vip have the same Pod and script', () => {
    const files = (flavor: string): string | undefined =>
      /^ {4}files:\n[^]*?(?=^ {4}\w)/m.exec(textOf('vsphere', `cluster-template${flavor}.yaml`))?.[0];
    expect(files('')).toContain('kube-vip');
    for (const flavor of ['-failure-domains', '-ignition', '-node-ipam']) expect(files(flavor)).toBe(files(''));
  });
});
