import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MapiMachine, MapiMachineSet } from '../../api/index.js';
import { awsConversion } from './aws.js';
import { machineSetToCapi, machineSetToMapi, machineToCapi, machineToMapi } from './machine.js';
import { canonicalJson, templateName } from './template-name.js';

const facts = { infraName: 'demo', region: 'us-east-2' };
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const texts = fc.dictionary(word, word);
const hook = fc.record({ name: word, owner: word });
const hooks = fc
  .uniqueArray(hook, { minLength: 1, selector: ({ name }) => name })
  .map((list) => [...list].sort((left, right) => (left.name < right.name ? -1 : 1)));
const role = fc.option(word, { nil: undefined });

function labelsOf(own: Record<string, string>, given: string | undefined): Record<string, string> {
  const roles: Record<string, string> =
    given === undefined
      ? {}
      : {
          'machine.openshift.io/cluster-api-machine-role': given,
          'machine.openshift.io/cluster-api-machine-type': given,
        };
  return { ...own, ...roles };
}

const providerSpec = {
  value: {
    ...awsConversion.toMapi({ spec: { ami: { id: 'a' }, instanceMetadataOptions: { httpTokens: 'optional' } } }, facts)
      .value,
  },
};

const machine = fc
  .record({ name: word, own: texts, role, annotations: texts, preDrain: hooks, preTerminate: hooks })
  .map(({ name, own, role: given, annotations, preDrain, preTerminate }): MapiMachine => {
    const labels = labelsOf(own, given);
    return {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'Machine',
      metadata: { namespace: 'openshift-machine-api', name, labels, annotations },
      spec: {
        providerSpec,
        metadata: { labels, annotations },
        lifecycleHooks: { preDrain, preTerminate },
        authoritativeAPI: 'ClusterAPI',
      },
    };
  });

describe('Machines', () => {
  it('round-trip through Cluster API', () => {
    fc.assert(
      fc.property(machine, (given) => {
        const { value, errors } = machineToCapi(given, awsConversion, facts);
        expect(errors).toEqual([]);
        expect(machineToMapi(value, awsConversion, facts).value).toEqual(given);
      }),
    );
  });

  it('are rejected with taints and with metadata that is not propagated to Nodes', () => {
    const given: MapiMachine = {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'Machine',
      metadata: { name: 'a' },
      spec: { providerSpec, taints: [{ key: 'a' }], metadata: { generateName: 'x' } },
    };
    expect(machineToCapi(given, awsConversion, facts).errors.map(({ field }) => field)).toEqual([
      'spec.taints',
      'spec.metadata.generateName',
    ]);
  });

  it('of Cluster API are rejected with fields that Machine API does not have', () => {
    const { value } = machineToCapi(
      { apiVersion: 'machine.openshift.io/v1beta1', kind: 'Machine', metadata: { name: 'a' }, spec: { providerSpec } },
      awsConversion,
      facts,
    );
    const spec = {
      ...value.object.spec,
      version: 'v1.30.0',
      deletion: { nodeDeletionTimeoutSeconds: 5, nodeDrainTimeoutSeconds: 3 },
    };
    const { errors } = machineToMapi({ ...value, object: { ...value.object, spec } }, awsConversion, facts);
    expect(errors.map(({ field }) => field)).toEqual([
      'spec.version',
      'spec.deletion.nodeDrainTimeoutSeconds',
      'spec.deletion.nodeDeletionTimeoutSeconds',
    ]);
  });
});

describe('MachineSets', () => {
  it('round-trip through Cluster API and always set the deletion order [operators 41]', () => {
    const set = fc.record({
      name: word,
      own: texts,
      annotations: texts,
      replicas: fc.nat(9),
      minReadySeconds: fc.integer({ min: 1, max: 9 }),
      policy: fc.constantFrom('Random', 'Newest', 'Oldest'),
    });
    fc.assert(
      fc.property(set, ({ name, own, annotations, replicas, minReadySeconds, policy }) => {
        const given: MapiMachineSet = {
          apiVersion: 'machine.openshift.io/v1beta1',
          kind: 'MachineSet',
          metadata: { namespace: 'openshift-machine-api', name, labels: own, annotations },
          spec: {
            replicas,
            minReadySeconds,
            deletePolicy: policy as 'Random',
            selector: { matchLabels: own },
            template: {
              metadata: { labels: own, annotations },
              spec: { providerSpec, metadata: { labels: own, annotations } },
            },
            authoritativeAPI: 'ClusterAPI',
          },
        };
        const { value, errors } = machineSetToCapi(given, awsConversion, facts);
        expect(errors).toEqual([]);
        expect(value.object.spec.deletion).toEqual({ order: policy });
        expect(machineSetToMapi(value, awsConversion, facts).value).toEqual(given);
      }),
    );
  });

  it('derive the template name from its spec in any key order [operators 43]', () => {
    expect(canonicalJson({ b: [1, { d: 'x', c: null }], a: true })).toBe('{"a":true,"b":[1,{"c":null,"d":"x"}]}');
    expect(templateName('workers', { b: 2, a: 1 })).toBe(templateName('workers', { a: 1, b: 2 }));
    // The name is pinned, because another name for the same spec would roll out every MachineSet.
    expect(templateName('workers', { a: 1, b: 2 })).toBe('workers-5314055b');
  });
});
