import { describe, expect, it } from 'vitest';
import { edit, type ObjectKey } from '@slipway/runtime';
import type { Cluster } from '../api/index.js';
import { machineFixture, machineSetFixture } from '../testing/machine-objects.js';
import { machineDeploymentFixture } from '../testing/rollout-objects.js';
import { controlPlaneCounters, workerCounters } from './cluster-counters.js';
import { clusterPhase } from './cluster-status.js';
import { deleteChildren, type Descendants, pendingDeletion } from './descendants.js';

const ref = { apiGroup: 'g', kind: 'K', name: 'n' };
const cluster = (spec: Cluster['spec'], status?: Cluster['status']): Cluster => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name: 'c', namespace: 'default', uid: 'c' },
  spec,
  ...(status && { status }),
});
const none: Descendants = { deployments: [], sets: [], pools: [], controlPlaneMachines: [], workerMachines: [] };
const owned = { ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'c', uid: 'c' }] };

describe('the phase of a cluster', () => {
  const endpoint = { host: 'h', port: 1 };
  const rows: { then: string; name: string; given: Cluster }[] = [
    { then: 'Pending', name: 'without references', given: cluster({ paused: false }) },
    { then: 'Provisioning', name: 'with a reference', given: cluster({ controlPlaneRef: ref }) },
    {
      then: 'Provisioning',
      name: 'without an endpoint',
      given: cluster({ infrastructureRef: ref }, { initialization: { infrastructureProvisioned: true } }),
    },
    {
      then: 'Provisioned',
      name: 'with infrastructure and an endpoint',
      given: cluster(
        { infrastructureRef: ref, controlPlaneEndpoint: endpoint },
        { initialization: { infrastructureProvisioned: true } },
      ),
    },
    {
      then: 'Deleting',
      name: 'while it is being deleted',
      given: edit(cluster({}), ({ metadata }) => void (metadata.deletionTimestamp = '2026-01-01T00:00:00Z')),
    },
  ];
  it.each(rows)('is $then $name', ({ given, then }) => {
    expect(clusterPhase(given)).toBe(then);
  });
});

describe('counters', () => {
  const kind = (contract: 'v1beta1' | 'v1beta2') => ({
    contract,
    resource: { group: 'g', version: 'v1', kind: 'K', plural: 'ks', namespaced: true },
  });
  const state = (contract: 'v1beta1' | 'v1beta2', spec: object, status: object) =>
    ({
      type: 'found',
      kind: kind(contract),
      object: { apiVersion: 'g/v1', kind: 'K', metadata: {}, spec, status },
    }) as const;

  it('of a control plane are read from its object, by its contract', () => {
    const own = cluster({ controlPlaneRef: ref });
    const status = { replicas: 3, readyReplicas: 2, availableReplicas: 1, upToDateReplicas: 0 };
    const versions = [{ version: 'v1.35.0', replicas: 3 }];
    expect(controlPlaneCounters(own, state('v1beta2', { replicas: 3 }, { ...status, versions }), [])).toEqual({
      desiredReplicas: 3,
      ...status,
      versions,
    });
    const old = { replicas: 3, readyReplicas: 2, unavailableReplicas: 1, updatedReplicas: 3 };
    expect(controlPlaneCounters(own, state('v1beta1', { replicas: 3 }, old), [])).toEqual({
      desiredReplicas: 3,
      replicas: 3,
      readyReplicas: 2,
      availableReplicas: 2,
      upToDateReplicas: 3,
    });
    expect(controlPlaneCounters(own, { type: 'missing' }, [])).toEqual({});
  });

  it('of stand-alone machines are counted', () => {
    const machines = [machineFixture('a', { conditions: { Ready: 'True', Available: 'True' } }), machineFixture('b')];
    expect(controlPlaneCounters(cluster({}), { type: 'missing' }, machines)).toEqual({
      desiredReplicas: 2,
      replicas: 2,
      readyReplicas: 1,
      availableReplicas: 1,
      versions: [{ version: 'v1.35.0', replicas: 2 }],
    });
  });

  it('of workers are sums without double counting', () => {
    const deployment = machineDeploymentFixture({ replicas: 3 });
    deployment.status = { replicas: 2, readyReplicas: 1, versions: [{ version: 'v1.35.0', replicas: 2 }] };
    const alone = machineSetFixture(2, (set) => {
      Object.assign(set.metadata, owned);
      set.status = { replicas: 2, versions: [{ version: 'v1.34.0', replicas: 2 }] };
    });
    const ofDeployment = machineSetFixture(5, (set) => void (set.status = { replicas: 5 }));
    const machine = machineFixture('m', { conditions: { Ready: 'True' } });
    Object.assign(machine.metadata, owned);
    const given = {
      ...none,
      deployments: [deployment],
      sets: [alone, ofDeployment],
      workerMachines: [machine, machineFixture('of-set')],
    };
    expect(workerCounters(cluster({}), given)).toEqual({
      desiredReplicas: 6,
      replicas: 5,
      readyReplicas: 2,
      versions: [
        { version: 'v1.34.0', replicas: 2 },
        { version: 'v1.35.0', replicas: 3 },
      ],
    });
  });

  it('keep the upgrade plan, which the topology controller writes', () => {
    const upgradePlan = [{ version: 'v1.36.0' }];
    expect(workerCounters(cluster({}, { workers: { upgradePlan, replicas: 1 } }), none)).toEqual({ upgradePlan });
  });
});

describe('deletion of a cluster', () => {
  const names = (children: readonly { readonly resource: { readonly kind: string }; readonly key: ObjectKey }[]) =>
    children.map(({ resource, key }) => `${resource.kind} ${key.name}`);
  const machine = (name: string, own: boolean) => {
    const made = machineFixture(name);
    if (own) Object.assign(made.metadata, owned);
    return made;
  };
  const given: Descendants = {
    ...none,
    sets: [
      machineSetFixture(1),
      machineSetFixture(1, ({ metadata }) => void Object.assign(metadata, owned, { name: 'alone' })),
    ],
    controlPlaneMachines: [machine('cp', true)],
    workerMachines: ['a', 'b', 'd', 'e', 'f', 'g'].map((name) => machine(name, name === 'a')),
  };

  it('deletes the children that the Cluster owns itself', () => {
    expect(names(deleteChildren(cluster({ controlPlaneRef: ref }), given))).toEqual(['MachineSet alone', 'Machine a']);
    expect(names(deleteChildren(cluster({}), given))).toEqual(['MachineSet alone', 'Machine a', 'Machine cp']);
  });

  it('lists at most five pending objects of each kind', () => {
    expect(pendingDeletion(cluster({}), given)).toEqual([
      '* Control plane Machines: cp',
      '* MachineSets: ms, alone',
      '* Worker Machines: a, b, d, e, f, ... (1 more)',
    ]);
    expect(pendingDeletion(cluster({ controlPlaneRef: ref }), given)).toHaveLength(2);
    expect(pendingDeletion(cluster({}), none)).toEqual([]);
  });
});
