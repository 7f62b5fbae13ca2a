import { describe, expect, it } from 'vitest';
import { machineSetFixture } from '../testing/machine-objects.js';
import { type PreflightInput, runPreflightChecks } from './index.js';

const controlPlane = {
  kind: 'KubeadmControlPlane',
  namespace: 'default',
  name: 'cp',
  version: 'v1.35.2',
  statusVersion: 'v1.35.2',
};

function input(more: Partial<PreflightInput> = {}, version = 'v1.35.0', skip = ''): PreflightInput {
  const machineSet = machineSetFixture(1, ({ metadata, spec }) => {
    spec.template.spec.version = version;
    metadata.annotations = { 'machineset.cluster.x-k8s.io/skip-preflight-checks': skip };
  });
  return { machineSet, controlPlane, topologyVersion: undefined, enabled: ['All'], ...more };
}

const skew = (set: string): string => `MachineSet version (${set}) and ControlPlane version (1.35.2) do not conform to`;

describe('runPreflightChecks', () => {
  const rows: { name: string; given: PreflightInput; then: string[] }[] = [
    { name: 'passes without a topology although the patch version is older [14.49]', given: input(), then: [] },
    { name: 'passes without a control plane', given: input({ controlPlane: undefined }), then: [] },
    {
      name: 'passes with a control plane without versions',
      given: input({ controlPlane: { ...controlPlane, version: undefined, statusVersion: undefined } }),
      then: [],
    },
    {
      name: 'provisioning',
      given: input({ controlPlane: { ...controlPlane, statusVersion: undefined } }),
      then: ['KubeadmControlPlane default/cp is provisioning ("ControlPlaneIsStable" preflight check failed)'],
    },
    {
      name: 'upgrading',
      given: input({ controlPlane: { ...controlPlane, statusVersion: 'v1.34.9' } }),
      then: ['KubeadmControlPlane default/cp is upgrading ("ControlPlaneIsStable" preflight check failed)'],
    },
    {
      name: 'fails for a topology whose version is not rolled out yet',
      given: input({ topologyVersion: 'v1.36.0' }, 'v1.35.2'),
      then: [
        'KubeadmControlPlane default/cp has a pending version upgrade to v1.36.0 ("ControlPlaneIsStable" preflight check failed)',
      ],
    },
    {
      name: 'fails for a set that is newer than the control plane',
      given: input({}, 'v1.36.0'),
      then: [
        `${skew('1.36.0')} the kubernetes version skew policy as MachineSet version is higher than ControlPlane version ("KubernetesVersionSkew" preflight check failed)`,
        `${skew('1.36.0')} kubeadm version skew policy as kubeadm only supports joining with the same major+minor version as the control plane ("KubeadmVersionSkew" preflight check failed)`,
      ],
    },
    {
      name: 'fails for a set that is too old',
      given: input({}, 'v1.31.0', 'KubeadmVersionSkew'),
      then: [
        `${skew('1.31.0')} the kubernetes version skew policy as MachineSet version is more than 3 minor versions older than the ControlPlane version ("KubernetesVersionSkew" preflight check failed)`,
      ],
    },
    {
      name: 'applies `ControlPlaneVersionSkew` only to topology clusters [14.49]',
      given: input({ topologyVersion: 'v1.35.2' }),
      then: [
        'MachineSet version (v1.35.0) is not yet the same as the ControlPlane version (v1.35.2), waiting for version to be propagated to the MachineSet ("ControlPlaneVersionSkew" preflight check failed)',
      ],
    },
    { name: 'passes with all checks skipped on the set', given: input({}, 'v1.36.0', 'All'), then: [] },
    {
      name: 'passes with checks skipped on the bootstrap template',
      given: input({ bootstrapTemplateSkip: 'KubernetesVersionSkew, KubeadmVersionSkew' }, 'v1.36.0'),
      then: [],
    },
    {
      name: 'passes with the check disabled',
      given: input({ enabled: ['ControlPlaneIsStable'] }, 'v1.36.0'),
      then: [],
    },
  ];
  it.each(rows)('$name', ({ given, then }) => {
    expect(runPreflightChecks(given).map(({ message }) => message)).toEqual(then);
  });
});
