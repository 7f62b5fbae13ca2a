import { describe, expect, it } from 'vitest';
import { admissionOf, checkAdmission, objectOfKind, problemsOf } from '@slipway/testing/kinds';
import { hostAdmission } from './index.js';

const make = (kind: string, spec: object) => objectOfKind(admissionOf(hostAdmission, kind).kind, spec);

describe('validation', () => {
  const network = (cidr: string): object => ({ network: { cidr } });
  const field = 'spec.network.cidr: Invalid value:';
  const rows: { name: string; kind?: string; spec: object; old?: object; problems: string[] }[] = [
    { name: 'accepts an empty spec', spec: {}, problems: [] },
    { name: 'accepts a network', spec: network('10.5.0.0/24'), problems: [] },
    {
      name: 'requires an IPv4 network',
      spec: network('fd00:0:0:1::/64'),
      problems: [`${field} "fd00:0:0:1::/64": must be an IPv4 network such as "10.231.0.0/24"`],
    },
    {
      name: 'requires a network that is large enough for machines',
      spec: network('10.5.0.0/30'),
      problems: [`${field} "10.5.0.0/30": must have a prefix length from 16 to 28`],
    },
    {
      name: 'requires the network address of a CIDR block, not a host address',
      spec: network('10.5.0.7/24'),
      problems: [`${field} "10.5.0.7/24": must start with the network address: "10.5.0.0/24"`],
    },
    { name: 'allows the network to be set later', spec: network('10.5.0.0/24'), old: {}, problems: [] },
    {
      name: 'rejects a change of the network',
      spec: network('10.6.0.0/24'),
      old: network('10.5.0.0/24'),
      problems: [`${field} "10.6.0.0/24": field is immutable: the network of the cluster is 10.5.0.0/24`],
    },
    {
      name: 'validates templates in the same way',
      kind: 'HostClusterTemplate',
      spec: { template: { spec: network('10.5.0.0/8') } },
      problems: [
        'spec.template.spec.network.cidr: Invalid value: "10.5.0.0/8": must have a prefix length from 16 to 28',
      ],
    },
    {
      name: 'is immutable',
      kind: 'HostMachineTemplate',
      spec: { template: { spec: { providerID: 'host://a/b' } } },
      old: { template: { spec: {} } },
      problems: [
        'spec.template.spec: Invalid value: {"providerID":"host://a/b"}: HostMachineTemplate spec.template.spec field is immutable. Please create a new resource instead.',
      ],
    },
  ];
  it.each(rows)('$kind $name', ({ kind = 'HostCluster', spec, old, problems }) => {
    expect(problemsOf(admissionOf(hostAdmission, kind), make(kind, spec), old && make(kind, old))).toEqual(problems);
  });

  it.each(hostAdmission.map((admission) => [admission.kind.kind, admission] as const))(
    '%s: validates every object that the schema allows, and defaulting is idempotent',
    (_kind, admission) => {
      expect(() => checkAdmission(admission, (actual, expected) => expect(actual).toBe(expected))).not.toThrow();
    },
  );
});
