import { deepFreeze, type KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { machineFixture, machineSetFixture } from '../testing/machine-objects.js';
import { countingRandom } from '../testing/rollout-simulation.js';
import { cloneForMachine, deletionTimeoutsInPlace, drawMachineName, machineInPlace, newMachine } from './index.js';

const set = deepFreeze(
  machineSetFixture(1, ({ metadata, spec }) => {
    metadata.labels = { 'cluster.x-k8s.io/deployment-name': 'md' };
    spec.template.metadata = { labels: { team: 'a' }, annotations: { note: 'b' } };
    spec.template.spec.failureDomain = 'zone-a';
    spec.template.spec.deletion = { nodeDrainTimeoutSeconds: 60 };
  }),
);

describe('newMachine', () => {
  it('creates Machine, InfraMachine and BootstrapConfig under one name, with the finalizer set at creation [14.13]', () => {
    expect(newMachine(set, 'ms-1')).toEqual({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: {
        name: 'ms-1',
        namespace: 'default',
        finalizers: ['machine.cluster.x-k8s.io'],
        labels: {
          team: 'a',
          'cluster.x-k8s.io/set-name': 'ms',
          'cluster.x-k8s.io/deployment-name': 'md',
          'cluster.x-k8s.io/cluster-name': 'c',
        },
        annotations: { note: 'b' },
        ownerReferences: [
          {
            apiVersion: 'cluster.x-k8s.io/v1beta2',
            kind: 'MachineSet',
            name: 'ms',
            uid: 'ms-uid',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        clusterName: 'c',
        version: 'v1.35.0',
        failureDomain: 'zone-a',
        deletion: { nodeDrainTimeoutSeconds: 60 },
        bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'ms-1' } },
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachine', name: 'ms-1' },
      },
    });
  });

  it('applies no empty annotations, with which every annotation of a user would conflict', () => {
    const given = machineSetFixture(1, ({ spec }) => {
      delete spec.template.metadata;
    });
    expect(newMachine(given, 'ms-1').metadata).not.toHaveProperty('annotations');
  });

  it('keeps a data secret that all machines share', () => {
    const given = machineSetFixture(1, ({ spec }) => {
      spec.template.spec.bootstrap = { dataSecretName: 'shared' };
    });
    expect(newMachine(given, 'ms-1').spec.bootstrap).toEqual({ dataSecretName: 'shared' });
  });

  it('hashes names that are invalid label values (KCP, MachineSet) to `hash_…_z` [14.52]', () => {
    const given = machineSetFixture(1, ({ metadata }) => {
      metadata.name = 'a'.repeat(80);
    });
    expect(newMachine(given, 'x').metadata.labels?.['cluster.x-k8s.io/set-name']).toMatch(/^hash_.*_z$/);
  });
});

describe('in-place updates', () => {
  it('updates only in-place mutable fields of an existing machine', () => {
    const machine = machineFixture('ms-1', { version: 'v1.30.0' });
    machine.spec.taints = [{ key: 'gone', effect: 'NoSchedule', propagation: 'Always' }];
    machine.spec.providerID = 'written by the machine';
    const intent = machineInPlace(set, deepFreeze(machine));
    expect(intent.spec).toEqual({
      clusterName: 'c',
      version: 'v1.30.0',
      bootstrap: { dataSecretName: 'ms-1' },
      infrastructureRef: machine.spec.infrastructureRef,
      deletion: { nodeDrainTimeoutSeconds: 60 },
    });
    expect(intent.metadata).toMatchObject({ uid: 'ms-1', annotations: { note: 'b' } });
  });

  it('updates only the timeouts of a deleting machine', () => {
    const machine = machineFixture('ms-1');
    const desired = { nodeDrainTimeoutSeconds: 60, nodeDeletionTimeoutSeconds: 10 };
    expect(deletionTimeoutsInPlace(set, machine)).toEqual(desired);
    machine.spec.deletion = desired;
    expect(deletionTimeoutsInPlace(set, machine)).toBeUndefined();
  });
});

it('clones a template with the cloned-from annotations', () => {
  const template: KubeObject = {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'DevMachineTemplate',
    metadata: { name: 'i', labels: { of: 'the template itself' } },
    spec: { template: { metadata: { labels: { size: 'l' }, annotations: { x: 'y' } }, spec: { backend: {} } } },
  };
  expect(cloneForMachine(deepFreeze(template), set, 'ms-1')).toEqual({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'DevMachine',
    metadata: {
      name: 'ms-1',
      namespace: 'default',
      labels: {
        size: 'l',
        'cluster.x-k8s.io/cluster-name': 'c',
      },
      annotations: {
        x: 'y',
        'cluster.x-k8s.io/cloned-from-name': 'i',
        'cluster.x-k8s.io/cloned-from-groupkind': 'DevMachineTemplate.infrastructure.cluster.x-k8s.io',
      },
      ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'ms', uid: 'ms-uid' }],
    },
    spec: { backend: {} },
  });
});

describe('drawMachineName', () => {
  const rows = [
    { name: 'the default', template: undefined, then: 'ms-bbbbc' },
    { name: 'a template', template: '{{ .cluster.name }}-x-{{ .random }}', then: 'c-x-bbbbc' },
    { name: 'truncates a long name', template: `${'y'.repeat(70)}{{ .random }}`, then: `${'y'.repeat(58)}bbbbc` },
  ];
  it.each(rows)('$name', ({ template, then }) => {
    const given = machineSetFixture(1, ({ spec }) => {
      if (template !== undefined) spec.machineNaming = { template };
    });
    expect(drawMachineName(given, new Set(), countingRandom())).toBe(then);
  });

  it('draws another name if one is taken, with a limit', () => {
    expect(drawMachineName(machineSetFixture(1), new Set(['ms-bbbbc']), countingRandom())).toBe('ms-bbbbd');
    const fixed = machineSetFixture(1, ({ spec }) => {
      spec.machineNaming = { template: 'always' };
    });
    expect(drawMachineName(fixed, new Set(['always']), countingRandom())).toBe('always');
  });
});
