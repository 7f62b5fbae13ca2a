import { describe, expect, it } from 'vitest';
import { type FeatureGate, FeatureGateError, FeatureGates } from './feature-gates.js';

const gates: readonly FeatureGate[] = [
  { name: 'MachinePool', stage: 'Beta', default: true },
  { name: 'RuntimeSDK', stage: 'Alpha', default: false },
  { name: 'ClusterTopology', stage: 'GA', default: true },
];
const open = (chosen: string): string[] =>
  new FeatureGates(gates, chosen)
    .entries()
    .filter(([, state]) => state)
    .map(([name]) => name);

describe('feature gates', () => {
  const rows = [
    { name: 'have their declared defaults', chosen: '', then: ['MachinePool', 'ClusterTopology'] },
    {
      name: 'can be enabled and disabled one by one',
      chosen: 'RuntimeSDK=true, MachinePool=f',
      then: ['RuntimeSDK', 'ClusterTopology'],
    },
    { name: 'can be enabled by stage', chosen: 'AllAlpha=1', then: ['MachinePool', 'RuntimeSDK', 'ClusterTopology'] },
    {
      name: 'prefer a single gate over its stage',
      chosen: 'RuntimeSDK=false,AllAlpha=true,AllBeta=false',
      then: ['ClusterTopology'],
    },
    {
      name: 'use the last value of a gate',
      chosen: 'RuntimeSDK=true,RuntimeSDK=false',
      then: ['MachinePool', 'ClusterTopology'],
    },
    { name: 'accept the default value', chosen: 'ClusterTopology=true,', then: ['MachinePool', 'ClusterTopology'] },
  ];
  it.each(rows)('$name', ({ chosen, then }) => expect(open(chosen)).toEqual(then));

  const refusals = [
    {
      chosen: 'Nothing=true',
      expected: 'unrecognized feature gate: Nothing; known feature gates: ClusterTopology, MachinePool, RuntimeSDK',
    },
    { chosen: '__proto__=true', expected: 'unrecognized feature gate: __proto__' },
    { chosen: 'MachinePool', expected: 'missing bool value for MachinePool' },
    { chosen: 'MachinePool=maybe', expected: 'invalid value of MachinePool=maybe' },
    {
      chosen: 'ClusterTopology=false',
      expected: 'cannot set feature gate ClusterTopology to false, feature is locked to true',
    },
  ];
  it.each(refusals)('rejects $chosen', ({ chosen, expected }) => {
    expect(() => open(chosen)).toThrow(FeatureGateError);
    expect(() => open(chosen)).toThrow(expected);
  });

  it('throws for an undeclared gate', () => {
    expect(() => new FeatureGates([]).isOpen('X')).toThrow('not declared');
  });
});
