import { describe, expect, it } from 'vitest';
import type { Resource } from '../client/index.js';
import { type Controller, createController, done } from '../controller/index.js';
import type { ControllerDescriptor, ControllerSet } from './controller-set.js';
import { concurrencyFlagOf, ControllerChoiceError, selectControllers } from './select-controllers.js';

const things: Resource = { group: 'x.io', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true };
const create = (): Controller => createController({ name: 'thing', for: things, reconcile: async () => done() });
const descriptor = (name: string, more: Partial<ControllerDescriptor> = {}): ControllerDescriptor => ({
  name,
  create,
  ...more,
});
const sets: readonly ControllerSet[] = [
  {
    name: 'core',
    controllers: [descriptor('cluster'), descriptor('machine', { concurrencyDefault: 20 })],
    featureGates: [{ name: 'Pools', stage: 'Beta', default: true }],
  },
  {
    name: 'kubeadm',
    controllers: [descriptor('pool', { featureGate: 'Pools', concurrencyFlag: 'pools-at-once' })],
  },
];

describe('selectControllers', () => {
  const rows = [
    { name: 'selects all controllers by default', choices: {}, then: ['cluster 10', 'machine 20', 'pool 10'] },
    { name: 'selects a set by name', choices: { controllers: ['core'] }, then: ['cluster 10', 'machine 20'] },
    { name: 'selects a controller by name', choices: { controllers: ['machine'] }, then: ['machine 20'] },
    { name: 'excludes a controller from all', choices: { controllers: ['-machine'] }, then: ['cluster 10', 'pool 10'] },
    {
      name: 'excludes a controller, in any order',
      choices: { controllers: ['-cluster', '*'] },
      then: ['machine 20', 'pool 10'],
    },
    { name: 'excludes a controller from a set', choices: { controllers: ['core', '-cluster'] }, then: ['machine 20'] },
    {
      name: 'omits controllers behind a disabled feature gate',
      choices: { featureGates: 'Pools=false' },
      then: ['cluster 10', 'machine 20'],
    },
    {
      name: 'sets the concurrency of a controller',
      choices: { concurrency: new Map([['machine', 3]]) },
      then: ['cluster 10', 'machine 3', 'pool 10'],
    },
  ];
  it.each(rows)('$name', ({ choices, then }) => {
    const { controllers } = selectControllers(sets, choices);
    expect(controllers.map((each) => `${each.descriptor.name} ${each.concurrency}`)).toEqual(then);
  });

  it('omits sets without running controllers', () => {
    expect(selectControllers(sets, { controllers: ['pool'] }).sets).toEqual([sets[1]]);
  });

  it.each([
    {
      choices: { controllers: ['node'] },
      expected: 'unknown controller "node"; known controllers: cluster, core, kubeadm',
    },
    { choices: { controllers: ['-node'] }, expected: 'unknown controller "node"' },
    {
      choices: { concurrency: new Map([['core', 1]]) },
      expected: 'unknown controller "core"; known controllers: cluster, machine',
    },
  ])('rejects unknown controllers: $expected', ({ choices, expected }) => {
    expect(() => selectControllers(sets, choices)).toThrow(ControllerChoiceError);
    expect(() => selectControllers(sets, choices)).toThrow(expected);
  });

  it('uses upstream’s flag names', () => {
    expect(sets.flatMap(({ controllers }) => controllers.map(concurrencyFlagOf))).toEqual([
      'cluster-concurrency',
      'machine-concurrency',
      'pools-at-once',
    ]);
  });
});
