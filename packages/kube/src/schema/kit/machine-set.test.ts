import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { KubeObject } from '../../meta/index.js';
import {
  atomicList,
  boolean,
  dateTime,
  defineKind,
  describeDefinition,
  enumeration,
  type Infer,
  int32,
  int64,
  list,
  map,
  mapList,
  object,
  type ObjectOf,
  optional,
  string,
  toCustomResourceDefinition,
} from './index.js';

const subdomain = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';
const qualifiedName =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$';

const conditions = mapList(
  object({
    type: string({ pattern: qualifiedName, maxLength: 316 }),
    status: enumeration(['True', 'False', 'Unknown']),
    reason: string({ pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$', minLength: 1, maxLength: 1024 }),
    message: string({ maxLength: 32768 }),
    lastTransitionTime: dateTime(),
    observedGeneration: optional(int64({ minimum: 0 })),
  }),
  ['type'],
  { maxItems: 32 },
);

const v1beta1Conditions = list(
  object({
    type: string({ minLength: 1, maxLength: 256 }),
    status: string(),
    reason: optional(string({ minLength: 1, maxLength: 256 })),
    message: optional(string({ minLength: 1, maxLength: 10240 })),
    severity: optional(string({ maxLength: 32 })),
    lastTransitionTime: dateTime(),
  }),
);

const contractReference = object({
  apiGroup: string({ pattern: subdomain, minLength: 1, maxLength: 253 }),
  kind: string({ pattern: '^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$', minLength: 1, maxLength: 63 }),
  name: string({ pattern: subdomain, minLength: 1, maxLength: 253 }),
});

const labelSelector = object(
  {
    matchLabels: optional(map(string())),
    matchExpressions: optional(
      atomicList(object({ key: string(), operator: string(), values: optional(atomicList(string())) })),
    ),
  },
  { atomic: true },
);

const taint = object({
  key: string({
    pattern:
      '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$',
    minLength: 1,
    maxLength: 317,
  }),
  value: optional(string({ pattern: '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$', minLength: 1, maxLength: 63 })),
  effect: enumeration(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
  propagation: enumeration(['Always', 'OnInitialization']),
});

const seconds = optional(int32({ minimum: 0 }));

const machineSpec = object({
  clusterName: string({ minLength: 1, maxLength: 63 }),
  bootstrap: object({
    configRef: optional(contractReference),
    dataSecretName: optional(string({ minLength: 0, maxLength: 253 })),
  }),
  infrastructureRef: contractReference,
  version: optional(string({ minLength: 1, maxLength: 256 })),
  providerID: optional(string({ minLength: 1, maxLength: 512 })),
  failureDomain: optional(string({ minLength: 1, maxLength: 256 })),
  minReadySeconds: seconds,
  readinessGates: optional(
    mapList(
      object({
        conditionType: string({ pattern: qualifiedName, minLength: 1, maxLength: 316 }),
        polarity: optional(enumeration(['Positive', 'Negative'])),
      }),
      ['conditionType'],
      { minItems: 1, maxItems: 32 },
    ),
  ),
  deletion: optional(
    object(
      {
        nodeDrainTimeoutSeconds: seconds,
        nodeVolumeDetachTimeoutSeconds: seconds,
        nodeDeletionTimeoutSeconds: seconds,
      },
      { minProperties: 1 },
    ),
  ),
  taints: optional(mapList(taint, ['key', 'effect'], { minItems: 1, maxItems: 64 })),
});

const count = optional(int32());

const spec = object({
  clusterName: string({ minLength: 1, maxLength: 63 }),
  replicas: count,
  selector: labelSelector,
  template: object({
    metadata: optional(
      object({ labels: optional(map(string())), annotations: optional(map(string())) }, { minProperties: 1 }),
    ),
    spec: machineSpec,
  }),
  machineNaming: optional(
    object({ template: optional(string({ minLength: 1, maxLength: 256 })) }, { minProperties: 1 }),
  ),
  deletion: optional(object({ order: optional(enumeration(['Random', 'Newest', 'Oldest'])) }, { minProperties: 1 })),
});

const status = object(
  {
    conditions: optional(conditions),
    selector: optional(string({ minLength: 1, maxLength: 4096 })),
    replicas: count,
    readyReplicas: count,
    availableReplicas: count,
    upToDateReplicas: count,
    observedGeneration: optional(int64({ minimum: 1 })),
    versions: optional(
      mapList(
        object({ version: string({ minLength: 1, maxLength: 256 }), replicas: optional(int32({ minimum: 1 })) }),
        ['version'],
        { minItems: 1, maxItems: 100 },
      ),
    ),
    deprecated: optional(
      object({
        v1beta1: optional(
          object({
            conditions: optional(v1beta1Conditions),
            failureReason: optional(string()),
            failureMessage: optional(string({ minLength: 1, maxLength: 10240 })),
            fullyLabeledReplicas: count,
            readyReplicas: count,
            availableReplicas: count,
          }),
        ),
      }),
    ),
  },
  { minProperties: 1 },
);

const machineSet = defineKind({
  group: 'cluster.x-k8s.io',
  kind: 'MachineSet',
  plural: 'machinesets',
  shortNames: ['ms'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta2': 'v1beta2' },
  versions: [
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      schema: { spec, status: optional(status) },
      subresources: {
        status: true,
        scale: {
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: '.status.selector',
        },
      },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
        { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' },
        { name: 'Current', type: 'integer', jsonPath: '.status.replicas' },
        { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
        { name: 'Available', type: 'integer', jsonPath: '.status.availableReplicas' },
        { name: 'Up-to-date', type: 'integer', jsonPath: '.status.upToDateReplicas' },
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.template.spec.version' },
      ],
    },
  ],
});

type MachineSet = ObjectOf<typeof machineSet>;

function fixture(name: string): string {
  return readFileSync(new URL(`../fixtures/${name}.txt`, import.meta.url), 'utf8');
}

describe('MachineSet declared with the kit', () => {
  it('has exactly the schema that upstream serves at v1beta2', () => {
    const [heading, , v1beta2] = fixture('machinesets').split('\n\n');
    expect(describeDefinition(toCustomResourceDefinition(machineSet))).toBe(`${heading}\n\n${v1beta2}`);
  });

  it('infers the type of its objects', () => {
    const object: MachineSet = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineSet',
      metadata: { name: 'a', namespace: 'default' },
      spec: {
        clusterName: 'c',
        selector: { matchLabels: { a: 'b' } },
        template: {
          spec: {
            clusterName: 'c',
            bootstrap: { dataSecretName: 'boot' },
            infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachineTemplate', name: 'm' },
            taints: [{ key: 'a', effect: 'NoSchedule', propagation: 'Always' }],
          },
        },
      },
    };
    const asKubeObject: KubeObject = object;
    expect(asKubeObject.kind).toBe('MachineSet');
    expectTypeOf<MachineSet['spec']['replicas']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<MachineSet['spec']>().toEqualTypeOf<Infer<typeof spec>>();
    expectTypeOf<MachineSet['kind']>().toEqualTypeOf<'MachineSet'>();
    type Taints = NonNullable<MachineSet['spec']['template']['spec']['taints']>;
    expectTypeOf<Taints[number]['effect']>().toEqualTypeOf<'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'>();
  });
});

describe('defineKind', () => {
  it('infers a separate type for each version', () => {
    const gadget = defineKind({
      group: 'example.com',
      kind: 'Gadget',
      plural: 'gadgets',
      scope: 'Cluster',
      versions: [
        { name: 'v1', served: true, storage: false, deprecated: 'use v2', schema: { old: optional(boolean()) } },
        { name: 'v2', served: true, storage: true, schema: { size: int32() }, selectableFields: ['.size'] },
      ],
    });
    expectTypeOf<ObjectOf<typeof gadget, 'v1'>['old']>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf<ObjectOf<typeof gadget>['size']>().toEqualTypeOf<number>();
    expect(toCustomResourceDefinition(gadget, { conversion: { strategy: 'None' } })).toMatchObject({
      metadata: { name: 'gadgets.example.com' },
      spec: {
        conversion: { strategy: 'None' },
        names: { singular: 'gadget', listKind: 'GadgetList' },
        versions: [
          { name: 'v1', deprecated: true, deprecationWarning: 'use v2' },
          { name: 'v2', selectableFields: [{ jsonPath: '.size' }] },
        ],
      },
    });
  });

  it('rejects a kind without exactly one storage version', () => {
    const declare = () => defineKind({ group: 'g.io', kind: 'K', plural: 'ks', scope: 'Cluster', versions: [] });
    expect(declare).toThrow('exactly one version must be the storage version');
  });
});
