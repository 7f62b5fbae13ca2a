import { seededRandom } from '@slipway/base';
import { describe, expect, it } from 'vitest';
import { controlPlaneAnnotations } from '../api/index.js';
import { clusterFixture, controlPlaneFixture, controlPlaneMachineFixture } from '../testing/control-plane-objects.js';
import {
  controlPlaneMachineInPlace,
  desiredKubeadmConfig,
  drawControlPlaneMachineName,
  newControlPlaneMachine,
} from './desired-machine.js';

const cluster = clusterFixture();

describe('a new machine of a control plane', () => {
  it('is created with all fields', () => {
    const controlPlane = controlPlaneFixture({ version: 'v1.36.0' });
    controlPlane.metadata.annotations = { [controlPlaneAnnotations.remediationInProgress]: '{"machine":"x"}' };
    controlPlane.spec.machineTemplate.metadata = {
      labels: { team: 'a', 'cluster.x-k8s.io/control-plane': 'no' },
      annotations: { note: 'b' },
    };
    controlPlane.spec.machineTemplate.spec.readinessGates = [
      { conditionType: 'Mine' },
      { conditionType: 'EtcdPodHealthy', polarity: 'Negative' },
    ];
    expect(newControlPlaneMachine(controlPlane, cluster, 'cp-x', 'zone-1')).toEqual({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: {
        name: 'cp-x',
        namespace: 'default',
        labels: {
          team: 'a',
          'cluster.x-k8s.io/cluster-name': 'c',
          'cluster.x-k8s.io/control-plane': '',
          'cluster.x-k8s.io/control-plane-name': 'cp',
        },
        annotations: {
          note: 'b',
          'controlplane.cluster.x-k8s.io/remediation-for': '{"machine":"x"}',
          'pre-terminate.delete.hook.machine.cluster.x-k8s.io/kcp-cleanup': '',
        },
        ownerReferences: [
          {
            apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
            kind: 'KubeadmControlPlane',
            name: 'cp',
            uid: 'cp-uid',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
        finalizers: ['machine.cluster.x-k8s.io'],
      },
      spec: {
        clusterName: 'c',
        version: 'v1.36.0',
        failureDomain: 'zone-1',
        bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'cp-x' } },
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachine', name: 'cp-x' },
        readinessGates: [
          'NodeKubeadmLabelsAndTaintsSet',
          'APIServerPodHealthy',
          'ControllerManagerPodHealthy',
          'SchedulerPodHealthy',
          'EtcdPodHealthy',
          'EtcdMemberHealthy',
          'Mine',
        ].map((conditionType) => ({ conditionType })),
      },
    });
  });

  it('has no etcd readiness gates with an external etcd', () => {
    const machine = newControlPlaneMachine(controlPlaneFixture({ external: true }), cluster, 'x', undefined);
    expect(machine.spec.readinessGates?.map(({ conditionType }) => conditionType)).not.toContain('EtcdPodHealthy');
    expect(machine.spec).not.toHaveProperty('failureDomain');
  });

  it('hashes a name that is not a valid label value [14.52]', () => {
    const controlPlane = controlPlaneFixture();
    controlPlane.metadata.name = 'n'.repeat(70);
    const machine = newControlPlaneMachine(controlPlane, cluster, 'x', undefined);
    expect(machine.metadata.labels?.['cluster.x-k8s.io/control-plane-name']).toMatch(/^hash_.*_z$/);
  });

  it.each([
    { template: undefined, name: 'cp', pattern: /^cp-[a-z0-9]{5}$/ },
    { template: '{{ .cluster.name }}-m-{{ .random }}', name: 'cp', pattern: /^c-m-[a-z0-9]{5}$/ },
    { template: undefined, name: 'n'.repeat(63), pattern: /^n{58}[a-z0-9]{5}$/ },
  ])('is named $pattern [14.13]', ({ template, name, pattern }) => {
    const controlPlane = controlPlaneFixture();
    controlPlane.metadata.name = name;
    if (template !== undefined) controlPlane.spec.machineNaming = { template };
    expect(drawControlPlaneMachineName(controlPlane, cluster, new Set(), seededRandom(1))).toMatch(pattern);
  });
});

describe('an existing machine', () => {
  it('updates mutable fields, and keeps its immutable fields', () => {
    const controlPlane = controlPlaneFixture({ version: 'v1.36.0' });
    controlPlane.spec.machineTemplate.spec.deletion = { nodeDrainTimeoutSeconds: 30 };
    controlPlane.metadata.annotations = { [controlPlaneAnnotations.remediationInProgress]: 'of another' };
    const machine = controlPlaneMachineFixture('a', {
      version: 'v1.35.0',
      failureDomain: 'zone-2',
      annotations: { [controlPlaneAnnotations.remediationFor]: 'its own', mine: 'x' },
    });
    machine.spec.bootstrap.dataSecretName = 'a-data';
    const { metadata, spec } = controlPlaneMachineInPlace(controlPlane, cluster, machine);
    expect(metadata).toMatchObject({ name: 'a', uid: 'a-uid' });
    expect(metadata.annotations).toEqual({
      [controlPlaneAnnotations.remediationFor]: 'its own',
      [controlPlaneAnnotations.preTerminateCleanup]: '',
    });
    expect(spec).toMatchObject({
      version: 'v1.35.0',
      failureDomain: 'zone-2',
      deletion: { nodeDrainTimeoutSeconds: 30 },
    });
    // Do not apply fields of other managers, which would take over their ownership.
    expect(spec).not.toHaveProperty('providerID');
    expect(spec.bootstrap).not.toHaveProperty('dataSecretName');
  });
});

describe('the configuration of a machine', () => {
  const controlPlane = controlPlaneFixture({ version: 'v1.36.0' });
  controlPlane.spec.kubeadmConfigSpec = {
    initConfiguration: { nodeRegistration: { name: 'a' } },
    joinConfiguration: { nodeRegistration: { name: 'b' } },
    verbosity: 4,
  };

  it('has no join configuration on the first machine', () => {
    const { spec, metadata } = desiredKubeadmConfig(controlPlane, cluster, 'x', 'init');
    expect(spec).toEqual({ verbosity: 4, initConfiguration: { nodeRegistration: { name: 'a' } } });
    expect(metadata.ownerReferences?.[0]).not.toHaveProperty('controller');
  });

  it('omits empty sections', () => {
    const plain = controlPlaneFixture({ version: 'v1.36.0' });
    expect(desiredKubeadmConfig(plain, cluster, 'x', 'init')).not.toHaveProperty('spec');
  });

  it('has no init configuration on further machines', () => {
    const { spec } = desiredKubeadmConfig(controlPlane, cluster, 'x', 'join');
    expect(spec).toEqual({ verbosity: 4, joinConfiguration: { controlPlane: {}, nodeRegistration: { name: 'b' } } });
  });
});
