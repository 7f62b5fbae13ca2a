import { describe, expect, it } from 'vitest';
import { admissionOf, objectOfKind, problemsOf } from '@slipway/testing/kinds';
import { devAdmission } from './index.js';

const make = (kind: string, spec: object) => objectOfKind(admissionOf(devAdmission, kind).kind, spec);

describe('validation', () => {
  const machine = (provisioning: object) => ({ backend: { inMemory: { vm: { provisioning } } } });
  const startup = 'spec.backend.inMemory.vm.provisioning';
  const rows: { name: string; kind: string; spec: object; old?: object; problems: string[] }[] = [
    { name: 'accepts a backend', kind: 'DevCluster', spec: { backend: { inMemory: {} } }, problems: [] },
    {
      name: 'requires a backend',
      kind: 'DevCluster',
      spec: { backend: {} },
      problems: ['spec.backend: Required value: one of docker or inMemory must be set'],
    },
    {
      name: 'rejects two backends',
      kind: 'DevMachine',
      spec: { backend: { docker: {}, inMemory: {} } },
      problems: ['spec.backend: Forbidden: only one of docker or inMemory can be set'],
    },
    {
      name: 'accepts timings',
      kind: 'DevMachine',
      spec: machine({ startupDuration: '10s', startupJitter: '0.2' }),
      problems: [],
    },
    {
      name: 'requires valid durations',
      kind: 'DevMachine',
      spec: machine({ startupDuration: '-1s', startupJitter: 'much' }),
      problems: [
        `${startup}.startupDuration: Invalid value: "-1s": must be a non-negative duration such as "10s"`,
        `${startup}.startupJitter: Invalid value: "much": must be a non-negative number such as "0.2"`,
      ],
    },
    {
      name: 'is immutable',
      kind: 'DevMachineTemplate',
      spec: { template: { spec: { backend: { inMemory: {} } } } },
      old: { template: { spec: { backend: { docker: {} } } } },
      problems: [
        'spec.template.spec: Invalid value: {"backend":{"inMemory":{}}}: DevMachineTemplate spec.template.spec field is immutable. Please create a new resource instead.',
      ],
    },
  ];
  it.each(rows)('$kind: $name', ({ kind, spec, old, problems }) => {
    expect(problemsOf(admissionOf(devAdmission, kind), make(kind, spec), old && make(kind, old))).toEqual(problems);
  });
});
