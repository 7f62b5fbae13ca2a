import { seededRandom } from '@slipway/base';
import { asJson, type JsonValue, type KubeObject } from '@slipway/kube';
import type { ReconcileContext } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { blueprintFixture, emptyState, topologyCluster, type TopologyFixture } from '../../testing/topology-objects.js';
import { computeDesiredState } from '../desired/desired-state.js';
import { fieldAt } from '../json-fields.js';
import type { DesiredState } from '../topology-state.js';
import { createPatchEngine, type PatchExtensions } from './apply-patches.js';
import type { ClassPatch } from './inline-patches.js';

type Definition = NonNullable<ClassPatch['definitions']>[number];
type Operation = Definition['jsonPatches'][number];

const context = { random: seededRandom(2) } as ReconcileContext;
const versions = { controlPlane: 'v1.35.0', machineDeployments: new Map(), machinePools: new Map() };

const variable = (name: string, from = 'inline') => ({
  name,
  definitions: [{ from, required: false, schema: { openAPIV3Schema: { type: 'string' as const } } }],
});
const variables = ['text', 'list', 'map', 'flag', 'count'].map((name) => variable(name));
const values = [
  { name: 'text', value: 'hello' },
  { name: 'list', value: [{ name: 'first' }, { name: 'second' }] },
  { name: 'map', value: { deep: { er: 7 } } },
  { name: 'flag', value: false },
];

const selectors = {
  infrastructure: {
    apiVersion: 'infrastructure.example.com/v1',
    kind: 'InfraTemplate',
    matchResources: { infrastructureCluster: true },
  },
  controlPlane: {
    apiVersion: 'controlplane.example.com/v1',
    kind: 'ControlTemplate',
    matchResources: { controlPlane: true },
  },
  controlPlaneMachine: {
    apiVersion: 'infrastructure.example.com/v1',
    kind: 'VMTemplate',
    matchResources: { controlPlane: true },
  },
  worker: (...names: string[]) => ({
    apiVersion: 'infrastructure.example.com/v1',
    kind: 'VMTemplate',
    matchResources: { machineDeploymentClass: { names } },
  }),
} as const;

async function patched(
  patches: readonly object[],
  fixture: TopologyFixture = {},
  extensions?: PatchExtensions,
): Promise<DesiredState> {
  const whole: TopologyFixture = {
    variables,
    ...fixture,
    classSpec: { patches: patches as never, ...fixture.classSpec },
    topology: { variables: values, ...fixture.topology },
  };
  const blueprint = blueprintFixture(whole);
  const state = computeDesiredState(blueprint, emptyState(whole), versions, seededRandom(1));
  await createPatchEngine(extensions)(context, blueprint, topologyCluster(whole), state);
  return state;
}

const inline = (selector: object, ...jsonPatches: Operation[]): object => ({
  name: 'p',
  definitions: [{ selector, jsonPatches }],
});
const at = (object: KubeObject | undefined, ...path: string[]): JsonValue | undefined =>
  object === undefined ? undefined : fieldAt(asJson(object), path);

describe('inline patches', () => {
  const path = '/spec/template/spec/made';
  it.each([
    ['a value', { op: 'add', path, value: { a: [1] } }, { a: [1] }],
    ['a variable', { op: 'add', path, valueFrom: { variable: 'text' } }, 'hello'],
    ['something in a variable', { op: 'add', path, valueFrom: { variable: 'map.deep.er' } }, 7],
    ['an element of a list', { op: 'add', path, valueFrom: { variable: 'list[1].name' } }, 'second'],
    ['a false value', { op: 'add', path, valueFrom: { variable: 'flag' } }, false],
    ['a builtin', { op: 'add', path, valueFrom: { variable: 'builtin.cluster.topology.classRef.name' } }, 'classy'],
    [
      'a template',
      { op: 'add', path, valueFrom: { template: '{{ .text | upper }}-{{ .builtin.cluster.name }}' } },
      'HELLO-c',
    ],
    [
      'a template that makes a list',
      { op: 'add', path, valueFrom: { template: '{{ range .list }}\n- {{ .name }}{{ end }}' } },
      ['first', 'second'],
    ],
    ['a template that makes a number', { op: 'add', path, valueFrom: { template: '{{ len .list }}' } }, 2],
    ['a template that makes nothing', { op: 'add', path, valueFrom: { template: '{{ if .none }}a{{ end }}' } }, null],
    [
      'the network',
      { op: 'add', path, valueFrom: { variable: 'builtin.cluster.network' } },
      { services: ['10.0.0.0/16'], pods: ['fd00::/64'], serviceDomain: 'x.y', ipFamily: 'DualStack' },
    ],
  ] as const)('add %s', async (_name, operation, expected) => {
    const clusterNetwork = {
      services: { cidrBlocks: ['10.0.0.0/16'] },
      pods: { cidrBlocks: ['fd00::/64'] },
      serviceDomain: 'x.y',
    };
    const state = await patched([inline(selectors.infrastructure, operation as Operation)], {
      clusterSpec: { clusterNetwork },
    });
    expect(at(state.infrastructureCluster, 'spec', 'made')).toEqual(expected);
  });

  it('replace and remove', async () => {
    const state = await patched([
      inline(selectors.infrastructure, { op: 'replace', path: '/spec/template/spec/from', value: 'other' }),
      inline(selectors.controlPlaneMachine, { op: 'remove', path: '/spec/template/spec/from' }),
    ]);
    expect(at(state.infrastructureCluster, 'spec')).toEqual({ from: 'other' });
    expect(at(state.controlPlane.machineInfrastructure, 'spec', 'template', 'spec')).toEqual({});
  });

  it('run in order, each on the result of the previous one', async () => {
    const state = await patched([
      inline(selectors.infrastructure, { op: 'add', path: '/spec/template/spec/list', value: ['a'] }),
      inline(selectors.infrastructure, {
        op: 'add',
        path: '/spec/template/spec/list/-',
        valueFrom: { variable: 'text' },
      }),
    ]);
    expect(at(state.infrastructureCluster, 'spec', 'list')).toEqual(['a', 'hello']);
  });

  it('never change fields that the topology sets', async () => {
    const state = await patched([
      inline(
        selectors.controlPlane,
        { op: 'add', path: '/spec/template/spec/version', value: 'v9.9.9' },
        { op: 'add', path: '/spec/template/spec/replicas', value: 99 },
        {
          op: 'add',
          path: '/spec/template/spec/machineTemplate',
          value: { spec: { infrastructureRef: { name: 'x' } } },
        },
        { op: 'add', path: '/spec/template/metadata/labels/cluster.x-k8s.io~1cluster-name', value: 'stolen' },
        { op: 'add', path: '/spec/template/metadata/labels/mine', value: 'yes' },
      ),
    ]);
    const { object, machineInfrastructure } = state.controlPlane;
    expect(at(object, 'spec', 'version')).toBe('v1.35.0');
    expect(at(object, 'spec', 'replicas')).toBe(3);
    expect(at(object, 'spec', 'machineTemplate', 'spec', 'infrastructureRef', 'name')).toBe(
      machineInfrastructure?.metadata.name,
    );
    expect(object.metadata.labels).toMatchObject({ 'cluster.x-k8s.io/cluster-name': 'c', mine: 'yes' });
  });

  it.each([
    [['worker'], true],
    [['*'], true],
    [['work*'], true],
    [['*ker'], true],
    [['other', 'worker'], true],
    [['other*'], false],
    [[], false],
  ])('select workers by class %j', async (names, isSelected) => {
    const operation = { op: 'add' as const, path: '/spec/template/spec/made', value: true };
    const state = await patched([inline(selectors.worker(...names), operation)]);
    const { infrastructure, bootstrap } = state.machineDeployments.get('md') ?? {};
    expect(at(infrastructure, 'spec', 'template', 'spec', 'made')).toBe(isSelected ? true : undefined);
    expect(at(bootstrap, 'spec', 'template', 'spec', 'made')).toBeUndefined();
    expect(at(state.controlPlane.machineInfrastructure, 'spec', 'template', 'spec', 'made')).toBeUndefined();
  });

  it.each([
    [undefined, true],
    ['{{ eq .text "hello" }}', true],
    ['true', true],
    ['{{ .flag }}', false],
    ['{{ .none }}', false],
    ['{{ if .none }}true{{ end }}', false],
    ['"true"', false],
    ['{{ semverCompare ">= 1.36" .builtin.cluster.topology.version }}', false],
  ])('are enabled by %s', async (enabledIf, isEnabled) => {
    const operation: Operation = { op: 'add', path: '/spec/template/spec/made', value: true };
    const state = await patched([{ ...inline(selectors.infrastructure, operation), ...(enabledIf && { enabledIf }) }]);
    expect(at(state.infrastructureCluster, 'spec', 'made')).toBe(isEnabled ? true : undefined);
  });

  it('read the overrides and builtin variables of their target', async () => {
    const operation: Operation = {
      op: 'add',
      path: '/spec/template/spec/made',
      valueFrom: {
        template: '{{ .text }} {{ with .builtin.machineDeployment }}{{ .topologyName }} {{ .replicas }}{{ end }}',
      },
    };
    const state = await patched([inline(selectors.worker('*'), operation), inline(selectors.controlPlane, operation)], {
      topology: {
        controlPlane: { replicas: 1, variables: { overrides: [{ name: 'text', value: 'control' }] } },
        workers: {
          machineDeployments: [
            { name: 'a', class: 'worker', replicas: 5, variables: { overrides: [{ name: 'text', value: 'worker' }] } },
            { name: 'b', class: 'worker' },
          ],
        },
      },
    });
    const made = (name: string): JsonValue | undefined =>
      at(state.machineDeployments.get(name)?.infrastructure, 'spec', 'template', 'spec', 'made');
    expect([made('a'), made('b')]).toEqual(['worker a 5', 'hello b <no value>']);
    expect(at(state.controlPlane.object, 'spec', 'made')).toBe('control');
  });

  it.each([
    ['an unset variable', { valueFrom: { variable: 'count' } }, 'variable "count" does not exist'],
    ['a path into nothing', { valueFrom: { variable: 'map.none.er' } }, 'failed to lookup segment "none"'],
    ['an invalid index', { valueFrom: { variable: 'list[x]' } }, 'failed to parse path segment'],
    ['an index out of range', { valueFrom: { variable: 'list[9]' } }, 'array does not have index 9'],
    ['a value that is not a list', { valueFrom: { variable: 'text[0]' } }, '"text" is not an array'],
    ['a prototype', { valueFrom: { variable: 'map.__proto__' } }, 'failed to lookup segment'],
    ['a broken template', { valueFrom: { template: '{{ .text' } }, 'unclosed action'],
    ['invalid YAML', { valueFrom: { template: '[a: {' } }, 'not valid YAML'],
    ['a path that does not exist', { path: '/spec/template/spec/no/where', value: 1 }, 'doc is missing path'],
    ['both kinds of values', { value: 1, valueFrom: { variable: 'text' } }, 'both .value and .valueFrom'],
  ])('fail with a message: %s', async (_name, operation, message) => {
    const given = { op: 'add', path: '/spec/template/spec/made', ...operation } as Operation;
    await expect(patched([inline(selectors.infrastructure, given)])).rejects.toThrow(
      new RegExp(
        `^failed to apply patch "p": failed to apply to InfraTemplate: .*${message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`,
      ),
    );
  });

  it('change only spec, labels and annotations of a template', async () => {
    const state = await patched([
      inline(
        selectors.infrastructure,
        { op: 'add', path: '/metadata/name', value: 'stolen' },
        { op: 'add', path: '/kind', value: 'Other' },
        { op: 'add', path: '/__proto__/polluted', value: 'yes' },
      ),
    ]).catch((error: unknown) => error as Error);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    if (state instanceof Error) return;
    expect(state.infrastructureCluster.kind).toBe('Infra');
    expect(state.infrastructureCluster.metadata.name).toMatch(/^c-/);
  });
});

describe('external patches', () => {
  const external = { name: 'ext', external: { generatePatchesExtension: 'g.e', settings: { a: 'b' } } };
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

  it('report that extensions are disabled', async () => {
    await expect(patched([external])).rejects.toThrow('RuntimeSDK feature flag is disabled');
  });

  it('receive templates and variables, and change the objects that they name', async () => {
    const seen: unknown[] = [];
    const state = await patched(
      [external, { name: 'v', external: { validateTopologyExtension: 'v.e' } }],
      { variables: [variable('text', 'ext'), variable('list')] },
      {
        generate(_context, _cluster, _patch, request) {
          seen.push(request.variables.map(({ name }) => name));
          seen.push(request.items.map(({ holderReference }) => `${holderReference.kind} ${holderReference.fieldPath}`));
          const [first, second] = request.items;
          return Promise.resolve([
            {
              uid: first?.uid ?? '',
              patchType: 'JSONPatch',
              patch: encode([{ op: 'add', path: '/spec/template/spec/x', value: 1 }]),
            },
            {
              uid: second?.uid ?? '',
              patchType: 'JSONMergePatch',
              patch: encode({ spec: { template: { spec: { y: 2 } } } }),
            },
          ]);
        },
        validate(_context, _cluster, _patch, request) {
          seen.push(fieldAt(request.items[0]?.object ?? {}, ['spec', 'template', 'spec', 'x']));
          return Promise.resolve();
        },
      },
    );
    expect(seen).toEqual([
      ['text', 'builtin'],
      [
        'Cluster spec.infrastructureRef',
        'Cluster spec.controlPlaneRef',
        'Control spec.machineTemplate.spec.infrastructureRef',
        'MachineDeployment spec.template.spec.bootstrap.configRef',
        'MachineDeployment spec.template.spec.infrastructureRef',
      ],
      1,
    ]);
    expect(at(state.infrastructureCluster, 'spec', 'x')).toBe(1);
    expect(at(state.controlPlane.object, 'spec', 'y')).toBe(2);
  });

  it.each([
    [
      'an item that was not requested',
      { uid: 'x', patchType: 'JSONPatch', patch: '' },
      'unable to find corresponding request item',
    ],
    ['a patch of no known type', { patchType: 'Strategic', patch: encode({}) }, 'unknown patch type "Strategic"'],
    [
      'no JSON',
      { patchType: 'JSONPatch', patch: Buffer.from('{{').toString('base64') },
      'failed to apply to InfraTemplate',
    ],
    [
      'a patch that does not apply',
      { patchType: 'JSONPatch', patch: encode([{ op: 'remove', path: '/spec/none' }]) },
      'failed to apply to InfraTemplate',
    ],
  ])('are rejected if the response has %s', async (_name, answer, message) => {
    const extensions: PatchExtensions = {
      generate: (_context, _cluster, _patch, request) =>
        Promise.resolve([{ uid: request.items[0]?.uid ?? '', ...answer }]),
      validate: () => Promise.resolve(),
    };
    await expect(patched([external], {}, extensions)).rejects.toThrow(message);
  });
});
