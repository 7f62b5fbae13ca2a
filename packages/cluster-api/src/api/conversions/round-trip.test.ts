import { canonicalJson } from '@slipway/kube';
import { checkNewOldNew, checkOldNewOld, type RoundTripOptions } from '@slipway/testing/kinds';
import { describe, expect, it } from 'vitest';
import { clusterApiConversions } from './index.js';

const options: Readonly<Record<string, RoundTripOptions>> = {
  Cluster: {
    lost: [
      'spec.topology.rolloutAfter',
      'spec.topology.variables.definitionFrom',
      'spec.topology.controlPlane.variables.overrides.definitionFrom',
      'spec.topology.workers.machineDeployments.variables.overrides.definitionFrom',
      'spec.topology.workers.machinePools.variables.overrides.definitionFrom',
    ],
  },
  MachineDeployment: { lost: ['spec.progressDeadlineSeconds', 'spec.revisionHistoryLimit'] },
};

// Compare as text: keys such as `constructor` confuse object comparison.
const equal = (actual: unknown, expected: unknown) => expect(canonicalJson(actual)).toBe(canonicalJson(expected));

describe.each(
  clusterApiConversions.map((conversion) => [conversion.kind.kind, conversion.version, conversion] as const),
)('%s %s', (kind, _version, conversion) => {
  it('converts from the old version and back without loss', () => {
    expect(() => checkNewOldNew(conversion, equal, options[kind])).not.toThrow();
  });

  it('converts from the storage version and back without loss', () => {
    expect(() => checkOldNewOld(conversion, equal, options[kind])).not.toThrow();
  });
});
