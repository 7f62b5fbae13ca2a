import { describe, expect, it } from 'vitest';
import type { Node } from '@slipway/runtime';
import type { MachinePool } from '../api/index.js';
import { machineFixture } from '../testing/machine-objects.js';
import { machineOfPool } from './sync-machines.js';
import { poolConditions, poolCounters, type PoolStatusInput } from './pool-status.js';

function pool(change: (pool: MachinePool) => void = () => undefined): MachinePool {
  const given: MachinePool = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachinePool',
    metadata: { name: 'mp', namespace: 'default', uid: 'mp-uid' },
    spec: {
      clusterName: 'c',
      replicas: 2,
      template: {
        metadata: { labels: { team: 'a' } },
        spec: {
          clusterName: 'c',
          bootstrap: { configRef: { apiGroup: 'b', kind: 'BootConfig', name: 'x' } },
          infrastructureRef: { apiGroup: 'i', kind: 'InfraPool', name: 'x' },
        },
      },
    },
    status: { replicas: 2 },
  };
  change(given);
  return given;
}

const node: Node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n' },
  status: { nodeInfo: { kubeletVersion: 'v1.35.0' } } as NonNullable<Node['status']>,
};

const input = (given: Partial<PoolStatusInput> = {}): PoolStatusInput => ({
  pool: pool(),
  bootstrap: { type: 'missing' },
  infrastructure: { type: 'missing' },
  machines: undefined,
  nodes: [],
  blockedBy: undefined,
  nowMs: Date.parse('2025-01-01T01:00:00Z'),
  ...given,
});

describe('poolCounters', () => {
  it('uses the infrastructure status and Node versions without Machines', () => {
    expect(poolCounters(input({ nodes: [node] }))).toEqual({
      readyReplicas: 2,
      availableReplicas: 2,
      upToDateReplicas: 2,
      versions: [{ version: 'v1.35.0', replicas: 1 }],
    });
  });

  it('uses the conditions of Machines; UpToDate is True unless deleting', () => {
    const machines = [
      machineFixture('a', { conditions: { Ready: 'True', Available: 'True' } }),
      machineFixture('b', { conditions: { Ready: 'True' }, version: 'v1.34.0' }),
      machineFixture('c', { deleted: '2025-01-01T00:00:00Z' }),
    ];
    expect(poolCounters(input({ machines }))).toEqual({
      readyReplicas: 2,
      availableReplicas: 1,
      upToDateReplicas: 2,
      versions: [
        { version: 'v1.34.0', replicas: 1 },
        { version: 'v1.35.0', replicas: 2 },
      ],
    });
  });
});

describe('poolConditions', () => {
  const reported = (given: Partial<PoolStatusInput>, type: string): string | undefined => {
    const condition = poolConditions(input(given)).find((each) => each.type === type);
    return condition && `${condition.status} ${condition.reason}: ${condition.message ?? ''}`;
  };
  const deleted = pool(({ metadata }) => {
    metadata.deletionTimestamp = '2025-01-01T00:00:00Z';
  });
  const rows: { name: string; given?: Partial<PoolStatusInput>; type: string; then: string }[] = [
    { name: 'has all replicas available', type: 'Available', then: 'True Available: ' },
    {
      name: 'lacks available replicas',
      given: { machines: [] },
      type: 'Available',
      then: 'False NotAvailable: 0 available replicas, at least 2 required',
    },
    { name: 'goes', given: { pool: deleted }, type: 'Available', then: 'False NotAvailable: Deletion in progress' },
    {
      name: 'has no infrastructure object',
      type: 'InfrastructureReady',
      then: 'False ObjectDoesNotExist: InfraPool does not exist',
    },
    {
      name: 'has bootstrap data without a bootstrap object',
      given: {
        pool: pool(({ spec }) => {
          spec.template.spec.bootstrap = { dataSecretName: 'x' };
        }),
      },
      type: 'BootstrapConfigReady',
      then: 'True DataSecretProvided: ',
    },
    {
      name: 'grows',
      given: {
        pool: pool(({ spec }) => {
          spec.replicas = 3;
        }),
      },
      type: 'ScalingUp',
      then: 'True ScalingUp: Scaling up from 2 to 3 replicas',
    },
    {
      name: 'waits for the deletion of its provider objects',
      given: { pool: deleted, blockedBy: 'Waiting for InfraPool x to be deleted' },
      type: 'Deleting',
      then: 'True Deleting: Waiting for InfraPool x to be deleted',
    },
  ];
  it.each(rows)('$name: $type', ({ given = {}, type, then }) => {
    expect(reported(given, type)).toBe(then);
  });
});

it('creates a Machine with the name of its infrastructure, without bootstrap data and with the running version', () => {
  const infrastructure = { apiVersion: 'i/v1', kind: 'InfraMachine', metadata: { name: 'm', namespace: 'default' } };
  expect(machineOfPool(pool(), infrastructure, undefined, 'v1.35.1')).toEqual({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      name: 'm',
      namespace: 'default',
      labels: { team: 'a', 'cluster.x-k8s.io/pool-name': 'mp', 'cluster.x-k8s.io/cluster-name': 'c' },
      annotations: {},
      finalizers: ['machine.cluster.x-k8s.io'],
      ownerReferences: [
        {
          apiVersion: 'cluster.x-k8s.io/v1beta2',
          kind: 'MachinePool',
          name: 'mp',
          uid: 'mp-uid',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      clusterName: 'c',
      bootstrap: { dataSecretName: '' },
      infrastructureRef: { apiGroup: 'i', kind: 'InfraMachine', name: 'm' },
      version: 'v1.35.1',
    },
  });
});
