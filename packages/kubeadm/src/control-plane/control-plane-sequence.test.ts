import { describe, expect, it } from 'vitest';
import type { ControlPlaneFixtureOptions } from '../testing/control-plane-objects.js';
import { controlPlaneFixture } from '../testing/control-plane-objects.js';
import { SimulatedControlPlane } from '../testing/simulated-control-plane.js';

const roundsMax = 120;

interface Scenario {
  readonly name: string;
  readonly options: ControlPlaneFixtureOptions;
  /** Actions in order. Each starts when the previous one is complete, or after a number of rounds. */
  readonly events: readonly (
    | ((simulated: SimulatedControlPlane) => void)
    | { readonly after: number; readonly act: (simulated: SimulatedControlPlane) => void }
  )[];
  /** Whether the control plane is still blocked at the end, because no safe step exists. */
  readonly endsBlocked?: boolean;
}

function resize(replicas: number): (simulated: SimulatedControlPlane) => void {
  return (simulated) => simulated.change(`replicas ${replicas}`, ({ spec }) => void (spec.replicas = replicas));
}

function upgrade(version = 'v1.36.0'): (simulated: SimulatedControlPlane) => void {
  return (simulated) => simulated.change(`version ${version}`, ({ spec }) => void (spec.version = version));
}

/** Stops etcd and all components on a number of machines, and fails their health checks. */
function breakDown(count: number): (simulated: SimulatedControlPlane) => void {
  return (simulated) => {
    for (let index = 0; index < count; index += 1) {
      const host = simulated.host(index);
      simulated.say(`${host.machine.metadata.name} breaks down`);
      host.etcdAlive = false;
      host.componentsAlive = false;
      simulated.failHealthCheck(host);
    }
  };
}

/** Lets the replacement of the broken machine fail to start too. */
function failAgain(simulated: SimulatedControlPlane): void {
  const stuck = [...simulated.hosts.values()].find(
    ({ broken, machine }) => broken && machine.metadata.deletionTimestamp === undefined,
  );
  if (stuck !== undefined) simulated.failHealthCheck(stuck);
}

const scenarios: readonly Scenario[] = [
  {
    name: 'scale-1-3-5-3-1',
    options: { replicas: 1, initialized: false },
    events: [() => {}, resize(3), resize(5), resize(3), resize(1)],
  },
  { name: 'upgrade-3-surge-1', options: { replicas: 3 }, events: [() => {}, upgrade()] },
  { name: 'upgrade-3-surge-0', options: { replicas: 3, maxSurge: 0 }, events: [() => {}, upgrade()] },
  { name: 'upgrade-1', options: { replicas: 1 }, events: [() => {}, upgrade()] },
  {
    name: 'upgrade-changed-midway',
    options: { replicas: 3 },
    events: [() => {}, upgrade('v1.35.1'), { after: 12, act: upgrade('v1.36.0') }],
  },
  {
    name: 'scale-up-during-upgrade',
    options: { replicas: 3 },
    events: [() => {}, upgrade(), { after: 12, act: resize(5) }],
  },
  { name: 'remediate-1-of-3', options: { replicas: 3 }, events: [() => {}, breakDown(1)] },
  { name: 'remediate-2-of-3-refused', options: { replicas: 3 }, events: [() => {}, breakDown(2)], endsBlocked: true },
  { name: 'remediate-2-of-5', options: { replicas: 5 }, events: [() => {}, breakDown(2)] },
  {
    name: 'remediate-the-only-machine-refused',
    options: { replicas: 1 },
    events: [() => {}, breakDown(1)],
    endsBlocked: true,
  },
  {
    name: 'remediation-retries',
    options: { replicas: 3, remediation: { maxRetry: 2, retryPeriodSeconds: 60 } },
    events: [
      () => {},
      (simulated) => {
        simulated.breakNext = 3;
        breakDown(1)(simulated);
      },
      { after: 20, act: failAgain },
      { after: 6, act: (simulated) => simulated.passTime(120) },
      { after: 20, act: failAgain },
      { after: 6, act: (simulated) => simulated.passTime(120) },
      { after: 20, act: failAgain },
      { after: 6, act: (simulated) => simulated.passTime(120) },
    ],
    endsBlocked: true,
  },
  {
    name: 'certificates-expire',
    options: { replicas: 3 },
    events: [
      () => {},
      (simulated) => {
        simulated.change('certificates of cp-1 expire in 5 days', ({ spec }) => {
          spec.rollout = { ...spec.rollout, before: { certificatesExpiryDays: 7 } };
        });
        const { machine } = simulated.host(0);
        machine.status = {
          ...machine.status,
          certificatesExpiryDate: new Date(simulated.nowMs + 5 * 86_400_000).toISOString(),
        };
      },
    ],
  },
  {
    name: 'external-etcd-even-replicas',
    options: { replicas: 2, external: true, initialized: false },
    events: [() => {}, upgrade(), resize(4), breakDown(1)],
  },
  {
    name: 'user-deletes-a-machine',
    options: { replicas: 3 },
    events: [
      () => {},
      (simulated) => {
        const host = simulated.host(0);
        simulated.say(`user deletes ${host.machine.metadata.name}`);
        simulated.deleteMachine(host);
      },
    ],
  },
  {
    name: 'first-machine-never-comes-up',
    options: { replicas: 1, initialized: false },
    events: [
      (simulated) => {
        simulated.breakNext = 1;
      },
      { after: 8, act: failAgain },
    ],
  },
];

function round(simulated: SimulatedControlPlane, number: number): void {
  const from = simulated.lines.length;
  for (const actor of simulated.actors()) simulated.step(actor);
  if (simulated.lines.length === from) return;
  simulated.lines.splice(from, 0, `-- round ${number}`);
  simulated.lines.push(`   ${simulated.summary()}`);
}

function run({ options, events }: Scenario): SimulatedControlPlane {
  const simulated = new SimulatedControlPlane(controlPlaneFixture({ ...options, initialized: false }));
  const pending = [...events];
  let since = 0;
  for (let number = 0; number < roundsMax; number += 1) {
    const next = pending[0];
    const isDue =
      next !== undefined && (typeof next === 'function' ? simulated.isDone || number === 0 : since >= next.after);
    if (isDue) {
      pending.shift();
      (typeof next === 'function' ? next : next.act)(simulated);
      since = 0;
    } else if (pending.length === 0 && simulated.isDone) break;
    round(simulated, number);
    since += 1;
  }
  return simulated;
}

describe('a control plane and its machines, step by step', () => {
  it.each(scenarios)('$name', async (scenario) => {
    const simulated = run(scenario);
    simulated.lines.push(simulated.isDone ? 'done' : 'makes no progress');
    expect(simulated.isDone).toBe(scenario.endsBlocked !== true);
    await expect(`${simulated.lines.join('\n')}\n`).toMatchFileSnapshot(`testdata/${scenario.name}.log`);
  });
});
