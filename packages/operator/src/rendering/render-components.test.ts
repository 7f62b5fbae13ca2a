import type { KubeObject } from '@slipway/kube';
import type { Deployment } from '@slipway/runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FrozenProvider, ProviderSpec } from '../api/index.js';
import { PhaseError } from '../phase-error.js';
import { parseComponents, renderComponents } from './render-components.js';

function deployment(name: string, container = 'manager'): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'old', labels: { tier: 'control' } },
    spec: {
      replicas: 1,
      template: {
        spec: {
          containers: [
            {
              name: container,
              image: 'registry.k8s.io/x/manager:v1@sha256:aa',
              args: ['--v=2'],
              env: [{ name: 'A', value: '1' }],
              livenessProbe: { httpGet: { path: '/healthz' } },
            },
            { name: 'proxy', image: 'proxy:v1' },
          ],
          tolerations: [{ key: 'kept' }],
        },
      },
    },
  };
}

const role: KubeObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'role' },
};
const policy: KubeObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'policy' },
};
const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'old' } };
const certificate: KubeObject = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name: 'c', namespace: 'old' },
  spec: { dnsNames: ['service.old.svc'] },
};

function provider(spec: ProviderSpec): FrozenProvider {
  return {
    apiVersion: 'operator.cluster.x-k8s.io/v1alpha2',
    kind: 'RuntimeExtensionProvider',
    metadata: { name: 'ext', namespace: 'new', uid: 'u' },
    spec,
  };
}

function render(
  spec: ProviderSpec,
  objects: readonly KubeObject[] = [deployment('ca-manager')],
  alterImage: (image: string) => string = (image) => image,
): readonly KubeObject[] {
  const isNamespaced = ({ kind }: KubeObject): boolean | undefined =>
    kind === 'ValidatingAdmissionPolicy' ? false : undefined;
  return renderComponents(provider(spec), objects, { alterImage, isNamespaced });
}

function podOf(objects: readonly KubeObject[], name = 'ca-manager'): NonNullable<Deployment['spec']>['template'] {
  const found = objects.find(({ metadata }) => metadata.name === name) as Deployment;
  return (found.spec as NonNullable<Deployment['spec']>).template;
}
const containerOf = (objects: readonly KubeObject[], name?: string) => podOf(objects, name).spec?.containers[0];

function reasonOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof PhaseError) return `${error.reason}: ${error.message}`;
    throw error;
  }
  return 'nothing was refused';
}

describe('rendering', () => {
  it('sets labels, omits the Namespace and sets owner references on namespaced objects [operators 10, 13, 14]', () => {
    const objects = render({}, [namespace, role, policy, deployment('ca-manager')]);
    expect(objects.map(({ kind }) => kind)).toEqual(['ClusterRole', 'ValidatingAdmissionPolicy', 'Deployment']);
    const [clusterWide, unknown, own] = objects;
    expect(clusterWide?.metadata.ownerReferences).toBeUndefined();
    expect(unknown?.metadata).not.toHaveProperty('namespace');
    expect(own?.metadata).toMatchObject({
      namespace: 'new',
      labels: { 'cluster.x-k8s.io/provider': 'runtime-extension-ext', 'clusterctl.cluster.x-k8s.io': '' },
      ownerReferences: [{ kind: 'RuntimeExtensionProvider', name: 'ext', uid: 'u' }],
    });
  });

  it('applies certificates before objects that depend on them [operators 15]', () => {
    const [first] = render({}, [deployment('ca-manager'), certificate]);
    expect(first).toMatchObject({ kind: 'Certificate', spec: { dnsNames: ['service.new.svc'] } });
  });

  it('accepts zero replicas and removes tolerations with an empty list [operators 11]', () => {
    const [scaled] = render({ deployment: { replicas: 0, tolerations: [] } });
    expect(scaled).toMatchObject({ spec: { replicas: 0, template: { spec: { tolerations: [] } } } });
    expect(podOf(render({ deployment: {} })).spec?.tolerations).toEqual([{ key: 'kept' }]);
  });

  it('gives spec.manager precedence over containers, patches over both and images over all [operators 12]', () => {
    const spec: ProviderSpec = {
      deployment: { containers: [{ name: 'manager', args: { '--v': '3' }, imageUrl: 'mirror.test/a:v1' }] },
      manager: { verbosity: 4 },
    };
    expect(containerOf(render(spec))).toMatchObject({ args: ['--v=4'], image: 'mirror.test/a:v1' });
    const patches = [
      {
        patch:
          '[{op: replace, path: /spec/template/spec/containers/0/args, value: [--v=9]},' +
          '{op: replace, path: /spec/template/spec/containers/0/image, value: patched.test/a:v1}]',
        target: { kind: 'Deployment' },
      },
    ];
    expect(containerOf(render({ ...spec, patches }))).toMatchObject({ args: ['--v=9'], image: 'patched.test/a:v1' });
    expect(containerOf(render({ ...spec, patches }, undefined, () => 'last.test/a:v1'))?.image).toBe('last.test/a:v1');
  });

  it('replaces the container list with a merge patch [operators 16]', () => {
    const patch = 'kind: Deployment\nspec: {template: {spec: {containers: [{name: only}]}}}';
    expect(podOf(render({ manifestPatches: [patch] })).spec?.containers).toEqual([{ name: 'only' }]);
  });

  it('replaces env by name, and resources and commands as a whole', () => {
    const spec: ProviderSpec = {
      deployment: {
        containers: [
          {
            name: 'manager',
            env: [
              { name: 'A', value: '2' },
              { name: 'B', value: '3' },
            ],
            resources: { limits: { cpu: '1' } },
            command: ['/m'],
          },
        ],
        serviceAccountName: 'other',
      },
      manager: { health: { livenessEndpointName: 'alive', readinessEndpointName: 'nobody' } },
    };
    expect(containerOf(render(spec))).toMatchObject({
      env: [
        { name: 'A', value: '2' },
        { name: 'B', value: '3' },
      ],
      resources: { limits: { cpu: '1' } },
      command: ['/m'],
      livenessProbe: { httpGet: { path: '/alive' } },
    });
    expect(podOf(render(spec)).spec?.serviceAccountName).toBe('other');
  });

  it('customizes the main Deployment, and others by name', () => {
    const objects = [deployment('capx-controller-manager'), deployment('service-operator', 'only')];
    const spec: ProviderSpec = {
      manager: { verbosity: 7 },
      additionalDeployments: { 'service-operator': { manager: { verbosity: 8 } } },
    };
    expect(containerOf(render(spec, objects), 'capx-controller-manager')?.args).toEqual(['--v=7']);
    expect(containerOf(render(spec, objects), 'service-operator')?.args).toEqual(['--v=8']);
    expect(containerOf(render({ manager: { verbosity: 7 } }, objects), 'service-operator')?.args).toEqual(['--v=2']);
  });

  const targets: { name: string; patch: { patch: string; target?: object }; then: string[] }[] = [
    { name: 'all without a target', patch: { patch: 'x: 1' }, then: ['ClusterRole', 'Deployment'] },
    { name: 'by group', patch: { patch: 'x: 1', target: { group: 'apps' } }, then: ['Deployment'] },
    { name: 'by kind and name', patch: { patch: 'x: 1', target: { kind: 'ClusterRole', name: 'other' } }, then: [] },
    { name: 'by namespace', patch: { patch: 'x: 1', target: { namespace: 'new' } }, then: ['Deployment'] },
    {
      name: 'by labels',
      patch: { patch: 'x: 1', target: { labelSelector: 'tier in (control, data)' } },
      then: ['Deployment'],
    },
  ];
  it.each(targets)('patches objects: $name', ({ patch, then }) => {
    const objects = render({ patches: [patch] }, [role, deployment('ca-manager')]);
    expect(objects.filter((object) => object['x'] === 1).map(({ kind }) => kind)).toEqual(then);
  });

  const named: { name: string; head: string; then: number }[] = [
    { name: 'by kind alone', head: 'kind: Deployment', then: 1 },
    { name: 'by another version', head: 'kind: Deployment\napiVersion: apps/v2', then: 0 },
    { name: 'by name', head: 'kind: Deployment\nmetadata: {name: ca-manager}', then: 1 },
    { name: 'by another name', head: 'kind: Deployment\nmetadata: {name: other}', then: 0 },
    { name: 'by another namespace', head: 'kind: Deployment\nmetadata: {namespace: old}', then: 0 },
  ];
  it.each(named)('selects the object of a manifest patch $name', ({ head, then }) => {
    const objects = render({ manifestPatches: [`${head}\nx: 1`] });
    expect(objects.filter((object) => object['x'] === 1)).toHaveLength(then);
  });

  const refused: { name: string; spec: ProviderSpec; then: string }[] = [
    {
      name: 'a missing container',
      spec: { deployment: { containers: [{ name: 'nobody' }] } },
      then: 'ComponentsCustomizationError: cannot find container nobody in deployment ca-manager; its containers are manager, proxy',
    },
    {
      name: 'a missing path',
      spec: { patches: [{ patch: '[{op: remove, path: /spec/nothing}]', target: { kind: 'Deployment' } }] },
      then: 'ComponentsPatchError: spec.patches[0]: it does not apply to Deployment ca-manager',
    },
    {
      name: 'no patch',
      spec: { patches: [{ patch: '7' }] },
      then: 'ComponentsPatchError: spec.patches[0]: the patch is',
    },
    {
      name: 'a patch that is not YAML',
      spec: { manifestPatches: ['a: b: c'] },
      then: 'ComponentsPatchError: spec.manifestPatches[0]:',
    },
    {
      name: 'a patch without operations',
      spec: { manifestPatches: ['a: 1'] },
      then: 'ComponentsPatchError: spec.manifestPatches[0]: kind is required',
    },
    {
      name: 'both lists',
      spec: { manifestPatches: ['kind: A'], patches: [{ patch: 'a: 1' }] },
      then: 'ComponentsPatchError: spec: only one of patches',
    },
  ];
  it.each(refused)('rejects $name', ({ spec, then }) => {
    expect(reasonOf(() => render(spec))).toContain(then);
  });

  it('reports all unset variables and where to set them', () => {
    const text = 'kind: A\napiVersion: v1\nmetadata: {name: "${B}-${A}-${C:=c}"}';
    const given = provider({ configSecret: { name: 'variables' } });
    expect(reasonOf(() => parseComponents(given, text, () => undefined))).toBe(
      'ComponentsFetchError: value for variables [A, B] is not set for RuntimeExtensionProvider new/ext; add them to Secret new/variables',
    );
  });

  it('renders the same objects for the same spec in any key order', () => {
    const keys = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { maxLength: 6 });
    fc.assert(
      fc.property(keys, (names) => {
        const spec = (order: readonly string[]): ProviderSpec => ({
          manager: {
            featureGates: Object.fromEntries(order.map((name) => [name, true])),
            additionalArgs: Object.fromEntries(order.map((name) => [`--x-${name}`, name])),
          },
          deployment: {
            containers: [{ name: 'manager', args: Object.fromEntries(order.map((name) => [`--y-${name}`, name])) }],
          },
        });
        expect(JSON.stringify(render(spec(names)))).toBe(JSON.stringify(render(spec([...names].reverse()))));
      }),
    );
  });
});
