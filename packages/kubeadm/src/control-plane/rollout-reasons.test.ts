import { annotations, type Machine } from '@slipway/cluster-api';
import type { KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import type { KubeadmConfig, KubeadmControlPlane } from '../api/index.js';
import {
  controlPlaneFixture,
  controlPlaneMachineFixture,
  kubeadmConfigFixture,
} from '../testing/control-plane-objects.js';
import { viewTime } from '../testing/control-plane-view.js';
import { desiredKubeadmConfigSpec, type KubeadmRole } from './desired-machine.js';
import { nextRolloutMs, rolloutReasons } from './rollout-reasons.js';

interface Fixture {
  readonly controlPlane: KubeadmControlPlane;
  readonly machine: Machine;
  readonly config: KubeadmConfig;
  readonly infrastructure: KubeObject;
}

/** Returns the rollout reasons of a machine that the control plane created, after the given changes. */
function reasonsAfter(
  change: (fixture: Fixture) => void,
  role: KubeadmRole = 'join',
  before: (spec: Fixture) => void = () => {},
): string[] {
  const controlPlane = controlPlaneFixture({ version: 'v1.36.0' });
  const machine = controlPlaneMachineFixture('a', { version: 'v1.36.0' });
  const infrastructure: KubeObject = {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1',
    kind: 'DevMachine',
    metadata: {
      annotations: {
        [annotations.clonedFromName]: 't',
        [annotations.clonedFromGroupKind]: 'DevMachineTemplate.infrastructure.cluster.x-k8s.io',
      },
    },
  };
  const fixture = { controlPlane, machine, config: kubeadmConfigFixture('a'), infrastructure };
  before(fixture);
  fixture.config.spec = desiredKubeadmConfigSpec(controlPlane, role);
  change(fixture);
  return rolloutReasons({ ...fixture, nowMs: viewTime });
}

const configOutdated = ['KubeadmConfig is not up-to-date'];

describe('a rollout is caused by', () => {
  it.each<{ readonly name: string; readonly change: (fixture: Fixture) => void; readonly reasons: readonly string[] }>([
    { name: 'nothing', change: () => {}, reasons: [] },
    {
      name: 'another version',
      change: ({ controlPlane }) => void (controlPlane.spec.version = 'v1.36.1'),
      reasons: ['Version v1.36.0, v1.36.1 required'],
    },
    {
      name: 'another template',
      change: ({ controlPlane }) => void (controlPlane.spec.machineTemplate.spec.infrastructureRef.name = 'other'),
      reasons: ['DevMachine is not up-to-date'],
    },
    {
      name: 'another command',
      change: ({ controlPlane }) => void (controlPlane.spec.kubeadmConfigSpec = { preKubeadmCommands: ['true'] }),
      reasons: configOutdated,
    },
    {
      name: 'rollout.after that has passed',
      change: ({ controlPlane }) => void (controlPlane.spec.rollout = { after: '2026-05-01T00:00:00Z' }),
      reasons: ['KubeadmControlPlane spec.rolloutAfter expired'],
    },
    {
      name: 'certificates that expire soon',
      change: ({ controlPlane, machine }) => {
        controlPlane.spec.rollout = { before: { certificatesExpiryDays: 10 } };
        machine.status = { ...machine.status, certificatesExpiryDate: '2026-06-10T00:00:00Z' };
      },
      reasons: ['Certificates will expire soon'],
    },
    {
      name: 'all changes together, in order',
      change: ({ controlPlane, machine }) => {
        controlPlane.spec.rollout = { after: '2026-05-01T00:00:00Z', before: { certificatesExpiryDays: 10 } };
        machine.status = { ...machine.status, certificatesExpiryDate: '2026-06-10T00:00:00Z' };
        controlPlane.spec.version = 'v1.37.0';
        controlPlane.spec.kubeadmConfigSpec = { verbosity: 5 };
        controlPlane.spec.machineTemplate.spec.infrastructureRef.name = 'other';
      },
      reasons: [
        'Certificates will expire soon',
        'KubeadmControlPlane spec.rolloutAfter expired',
        'Version v1.36.0, v1.37.0 required',
        ...configOutdated,
        'DevMachine is not up-to-date',
      ],
    },
  ])('$name', ({ change, reasons }) => {
    expect(reasonsAfter(change)).toEqual(reasons);
  });
});

describe('no rollout is caused by', () => {
  it.each<{
    readonly name: string;
    readonly change: (fixture: Fixture) => void;
    readonly role?: KubeadmRole;
    readonly before?: (fixture: Fixture) => void;
  }>([
    {
      name: 'rollout.after in the future [14.20]',
      change: ({ controlPlane }) => void (controlPlane.spec.rollout = { after: '2026-07-01T00:00:00Z' }),
    },
    {
      name: 'rollout.after before the creation of the machine',
      change: ({ controlPlane }) => void (controlPlane.spec.rollout = { after: '2025-12-01T00:00:00Z' }),
    },
    {
      name: 'labels, annotations, timeouts, gates and taints [14.16]',
      change: ({ controlPlane: { spec } }) => {
        spec.machineTemplate.metadata = { labels: { a: 'b' }, annotations: { c: 'd' } };
        spec.machineTemplate.spec.deletion = { nodeDrainTimeoutSeconds: 5 };
        spec.machineTemplate.spec.readinessGates = [{ conditionType: 'Mine' }];
        spec.machineTemplate.spec.taints = [{ key: 'k', effect: 'NoSchedule', propagation: 'Always' }];
      },
    },
    {
      name: 'the token that the bootstrap provider wrote [14.35]',
      change: ({ config }) => {
        config.spec = {
          ...config.spec,
          joinConfiguration: {
            ...config.spec?.joinConfiguration,
            discovery: { bootstrapToken: { token: 'abcdef.0123456789abcdef', apiServerEndpoint: '10.0.0.1:6443' } },
          },
        };
      },
    },
    {
      name: 'the endpoint that the bootstrap provider wrote [14.35]',
      change: ({ config }) =>
        void (config.spec = { ...config.spec, clusterConfiguration: { controlPlaneEndpoint: '10.0.0.1:6443' } }),
    },
    {
      name: 'another image of CoreDNS, which is updated in the running cluster [14.35]',
      change: ({ controlPlane }) =>
        void (controlPlane.spec.kubeadmConfigSpec = { clusterConfiguration: { dns: { imageTag: 'v1.12.0' } } }),
    },
    {
      name: 'the timeouts of kubeadm for components',
      change: ({ controlPlane }) =>
        void (controlPlane.spec.kubeadmConfigSpec = {
          joinConfiguration: { timeouts: { controlPlaneComponentHealthCheckSeconds: 60 } },
        }),
    },
    {
      name: 'absent instead of empty lists [14.35]',
      change: ({ config }) =>
        void (config.spec = {
          ...config.spec,
          files: [],
          joinConfiguration: { ...config.spec?.joinConfiguration, nodeRegistration: { kubeletExtraArgs: [] } },
        }),
    },
    {
      name: 'defaults that older versions wrote [14.35]',
      change: ({ config }) =>
        void (config.spec = {
          ...config.spec,
          format: 'cloud-config',
          joinConfiguration: {
            ...config.spec?.joinConfiguration,
            nodeRegistration: { imagePullPolicy: 'IfNotPresent' },
          },
        }),
    },
    {
      name: 'the first machine, if both roles have the same configuration',
      role: 'init',
      before: ({ controlPlane }) =>
        void (controlPlane.spec.kubeadmConfigSpec = {
          initConfiguration: { nodeRegistration: { criSocket: '/run/x.sock' }, localAPIEndpoint: { bindPort: 6444 } },
          joinConfiguration: {
            nodeRegistration: { criSocket: '/run/x.sock' },
            controlPlane: { localAPIEndpoint: { bindPort: 6444 } },
            caCertPath: '/other/ca.crt',
          },
        }),
      change: () => {},
    },
    {
      name: 'the first machine, if the roles have different configurations [14.35]',
      role: 'init',
      before: ({ controlPlane }) =>
        void (controlPlane.spec.kubeadmConfigSpec = {
          initConfiguration: { nodeRegistration: { criSocket: '/run/x.sock' } },
          joinConfiguration: { nodeRegistration: { criSocket: '/run/y.sock' } },
        }),
      change: () => {},
    },
    {
      name: 'infrastructure that was not cloned from a template',
      change: ({ controlPlane, infrastructure }) => {
        infrastructure.metadata.annotations = {};
        controlPlane.spec.machineTemplate.spec.infrastructureRef.name = 'other';
      },
    },
  ])('$name', ({ change, role, before }) => {
    expect(reasonsAfter(change, role, before)).toEqual([]);
  });

  it('an unreadable configuration', () => {
    const controlPlane = controlPlaneFixture();
    const machine = controlPlaneMachineFixture('a');
    const unknown = { config: undefined, infrastructure: undefined };
    expect(rolloutReasons({ controlPlane, machine, ...unknown, nowMs: viewTime })).toEqual([]);
  });
});

it('distinguishes an empty list of taints from an absent one', () => {
  const reasons = reasonsAfter(({ controlPlane }) => {
    controlPlane.spec.kubeadmConfigSpec = { joinConfiguration: { nodeRegistration: { taints: [] } } };
  });
  expect(reasons).toEqual(configOutdated);
});

it('ignores the feature gate that is added or removed with the version', () => {
  const gate = (version: string) =>
    desiredKubeadmConfigSpec(controlPlaneFixture({ version }), 'join').clusterConfiguration?.featureGates;
  expect(['v1.30.9', 'v1.31.0-rc.1', 'v1.35.4', 'v1.36.0'].map(gate)).toEqual([
    undefined,
    { ControlPlaneKubeletLocalMode: true },
    { ControlPlaneKubeletLocalMode: true },
    undefined,
  ]);
});

it('computes when the passing of time will cause a rollout', () => {
  const controlPlane = controlPlaneFixture();
  const machine = controlPlaneMachineFixture('a');
  machine.status = { ...machine.status, certificatesExpiryDate: '2026-06-12T00:00:00Z' };
  const next = (): number | undefined => nextRolloutMs(controlPlane, [machine], viewTime);
  expect(next()).toBeUndefined();
  controlPlane.spec.rollout = { before: { certificatesExpiryDays: 10 } };
  expect(next()).toBe(86_400_001);
  controlPlane.spec.rollout.after = '2026-06-01T01:00:00Z';
  expect(next()).toBe(3_600_001);
  controlPlane.spec.rollout.after = '2026-05-01T00:00:00Z';
  expect(next()).toBe(86_400_001);
});
