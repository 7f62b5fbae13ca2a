import { describe, expect, it } from 'vitest';
import type { MachineDeployment } from '../api/index.js';
import { machineDeploymentFixture } from '../testing/rollout-objects.js';
import { rolloutDifferences, rolloutHash } from './index.js';

type Template = MachineDeployment['spec']['template'];

function template(change: (template: Template) => void = () => {}): Template {
  const { template: made } = machineDeploymentFixture({ replicas: 1 }).spec;
  change(made);
  return made;
}

describe('changes of labels, annotations, drain timeouts, readiness gates, taints and minReadySeconds do not roll Machines [14.16]', () => {
  const rows: { name: string; change: (template: Template) => void }[] = [
    { name: 'labels', change: (one) => void (one.metadata = { labels: { a: 'b' } }) },
    { name: 'annotations', change: (one) => void (one.metadata = { annotations: { a: 'b' } }) },
    { name: 'drain timeouts', change: ({ spec }) => void (spec.deletion = { nodeDrainTimeoutSeconds: 5 }) },
    { name: 'readiness gates', change: ({ spec }) => void (spec.readinessGates = [{ conditionType: 'X' }]) },
    {
      name: 'taints',
      change: ({ spec }) => void (spec.taints = [{ key: 'a', effect: 'NoSchedule', propagation: 'Always' }]),
    },
    { name: 'minReadySeconds', change: ({ spec }) => void (spec.minReadySeconds = 10) },
    { name: 'providerID', change: ({ spec }) => void (spec.providerID = 'x://y') },
  ];
  it.each(rows)('$name', ({ change }) => {
    expect(rolloutDifferences(template(), template(change))).toEqual([]);
    expect(rolloutHash(template(change))).toBe(rolloutHash(template()));
  });
});

describe('rolloutDifferences', () => {
  const rows: { name: string; change: (template: Template) => void; then: string[] }[] = [
    {
      name: 'version',
      change: ({ spec }) => void (spec.version = 'v1.36.0'),
      then: ['* Version v1.35.0, v1.36.0 required'],
    },
    {
      name: 'another bootstrap template',
      change: ({ spec }) => void (spec.bootstrap.configRef = { ...spec.infrastructureRef, name: 'other' }),
      then: ['* KubeadmConfig is not up-to-date'],
    },
    {
      name: 'a data secret instead of a bootstrap template',
      change: ({ spec }) => void (spec.bootstrap = { dataSecretName: 'secret' }),
      then: ['* spec.bootstrap.dataSecretName , secret required'],
    },
    {
      name: 'infrastructure and failure domain',
      change: ({ spec }) => {
        spec.infrastructureRef = { ...spec.infrastructureRef, name: 'other' };
        spec.failureDomain = 'zone-a';
      },
      then: ['* DevMachine is not up-to-date', '* Failure domain , zone-a required'],
    },
  ];
  it.each(rows)('$name', ({ change, then }) => {
    expect(rolloutDifferences(template(), template(change))).toEqual(then);
    expect(rolloutHash(template(change))).not.toBe(rolloutHash(template()));
  });
});
