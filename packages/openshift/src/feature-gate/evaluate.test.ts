import { describe, expect, it } from 'vitest';
import type { FeatureGate } from '../api/index.js';
import { evaluateGates, releaseVersion } from './evaluate.js';

const gate = 'ClusterAPIEnabled';
const version = '4.20.0';

function featureGate(spec: FeatureGate['spec'], status?: FeatureGate['status']): FeatureGate {
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'FeatureGate',
    metadata: { name: 'cluster' },
    ...(spec && { spec }),
    ...(status && { status }),
  };
}

function verdict(given: FeatureGate | undefined): string {
  const gates = evaluateGates(given, version);
  return gates.type === 'known' ? String(gates.isEnabled(gate)) : gates.type;
}

const entry = (name: string, on: string[], off: string[] = []) => ({
  version: name,
  enabled: on.map((each) => ({ name: each })),
  disabled: off.map((each) => ({ name: each })),
});

describe('the feature gate', () => {
  it.each([
    { name: 'is disabled without a FeatureGate [R17]', given: undefined, then: 'false' },
    { name: 'is disabled by default', given: featureGate({}), then: 'false' },
    { name: 'is disabled in the default set', given: featureGate({ featureSet: 'Default' }), then: 'false' },
    {
      name: 'is disabled in the latency sensitive set',
      given: featureGate({ featureSet: 'LatencySensitive' }),
      then: 'false',
    },
    {
      name: 'is enabled in the tech preview [R15]',
      given: featureGate({ featureSet: 'TechPreviewNoUpgrade' }),
      then: 'true',
    },
    {
      name: 'is enabled in the development preview',
      given: featureGate({ featureSet: 'DevPreviewNoUpgrade' }),
      then: 'true',
    },
    { name: 'is unknown in an unknown set', given: featureGate({ featureSet: 'Invented' }), then: 'invalid' },
    {
      name: 'is enabled explicitly',
      given: featureGate({ featureSet: 'CustomNoUpgrade', customNoUpgrade: { enabled: [gate] } }),
      then: 'true',
    },
    {
      name: 'is disabled if it is in both lists',
      given: featureGate({ featureSet: 'CustomNoUpgrade', customNoUpgrade: { enabled: [gate], disabled: [gate] } }),
      then: 'false',
    },
    {
      name: 'is disabled if neither list contains it',
      given: featureGate({ featureSet: 'CustomNoUpgrade' }),
      then: 'false',
    },
    {
      name: 'is read from the entry of our version [operators 21]',
      given: featureGate({}, { featureGates: [entry('4.19.0', []), entry(version, [gate])] }),
      then: 'true',
    },
    {
      name: 'is not read from the spec if there is a status [operators 21]',
      given: featureGate({ featureSet: 'TechPreviewNoUpgrade' }, { featureGates: [entry(version, [], [gate])] }),
      then: 'false',
    },
    {
      name: 'is pending while only another version has an entry [operators 21]',
      given: featureGate({}, { featureGates: [entry('4.19.0', [gate])] }),
      then: 'pending',
    },
    {
      name: 'is disabled if the entry does not list it',
      given: featureGate({}, { featureGates: [entry(version, ['Other'])] }),
      then: 'false',
    },
  ])('$name', ({ given, then }) => {
    expect(verdict(given)).toBe(then);
  });

  it('uses the desired version of the cluster if the build has no version', () => {
    const clusterVersion = (status: object) => ({
      apiVersion: 'config.openshift.io/v1' as const,
      kind: 'ClusterVersion' as const,
      metadata: { name: 'version' },
      status,
    });
    expect(releaseVersion('4.18.1', clusterVersion({ desired: { version: '4.20.0' } }))).toBe('4.18.1');
    expect(releaseVersion('0.0.1-snapshot', clusterVersion({ desired: { version: '4.20.0' } }))).toBe('4.20.0');
    expect(releaseVersion('0.0.1-snapshot', clusterVersion({ history: [{ version: '4.19.0' }] }))).toBe('4.19.0');
    expect(releaseVersion('0.0.1-snapshot', undefined)).toBe('0.0.1-snapshot');
  });
});
