import { describe, expect, it } from 'vitest';
import type { ControlPlaneFixtureOptions } from '../testing/control-plane-objects.js';
import { controlPlaneFixture } from '../testing/control-plane-objects.js';
import { ControlPlaneWorld } from '../testing/control-plane-world.js';

const roundsMax = 120;

interface Scenario {
  readonly name: string;
  readonly options: ControlPlaneFixtureOptions;
  /** One after the other, each when what came before it is over; or after so many rounds. */
  readonly events: readonly (
    | ((world: ControlPlaneWorld) => void)
    | { readonly after: number; readonly act: (world: ControlPlaneWorld) => void }
  )[];
  /** It stands still at the end: what cannot be done safely is not done. */
  readonly endsBlocked?: boolean;
}

function resize(replicas: number): (world: ControlPlaneWorld) => void {
  return (world) => world.change(`replicas ${replicas}`, ({ spec }) => void (spec.replicas = replicas));
}

function upgrade(version = 'v1.36.0'): (world: ControlPlaneWorld) => void {
  return (world) => world.change(`version ${version}`, ({ spec }) => void (spec.version = version));
}

/** Etcd and all components on so many machines stop, and the health check notices. */
function breakDown(count: number): (world: ControlPlaneWorld) => void {
  return (world) => {
    for (let index = 0; index < count; index += 1) {
      const host = world.host(index);
      world.say(`${host.machine.metadata.name} breaks down`);
      host.etcdAlive = false;
      host.componentsAlive = false;
      world.failHealthCheck(host);
    }
  };
}

/** What replaces the broken machine does not come up either. */
function failAgain(world: ControlPlaneWorld): void {
  const stuck = [...world.hosts.values()].find(
    ({ broken, machine }) => broken && machine.metadata.deletionTimestamp === undefined,
  );
  if (stuck !== undefined) world.failHealthCheck(stuck);
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
      (world) => {
        world.breakNext = 3;
        breakDown(1)(world);
      },
      { after: 20, act: failAgain },
      { after: 6, act: (world) => world.passTime(120) },
      { after: 20, act: failAgain },
      { after: 6, act: (world) => world.passTime(120) },
      { after: 20, act: failAgain },
      { after: 6, act: (world) => world.passTime(120) },
    ],
    endsBlocked: true,
  },
  {
    name: 'certificates-expire',
    options: { replicas: 3 },
    events: [
      () => {},
      (world) => {
        world.change('certificates of cp-1 expire in 5 days', ({ spec }) => {
          spec.rollout = { ...spec.rollout, before: { certificatesExpiryDays: 7 } };
        });
        const { machine } = world.host(0);
        machine.status = {
          ...machine.status,
          certificatesExpiryDate: new Date(world.nowMs + 5 * 86_400_000).toISOString(),
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
      (world) => {
        const host = world.host(0);
        world.say(`user deletes ${host.machine.metadata.name}`);
        world.deleteMachine(host);
      },
    ],
  },
  {
    name: 'first-machine-never-comes-up',
    options: { replicas: 1, initialized: false },
    events: [
      (world) => {
        world.breakNext = 1;
      },
      { after: 8, act: failAgain },
    ],
  },
];

function round(world: ControlPlaneWorld, number: number): void {
  const from = world.lines.length;
  for (const actor of world.actors()) world.step(actor);
  if (world.lines.length === from) return;
  world.lines.splice(from, 0, `-- round ${number}`);
  world.lines.push(`   ${world.summary()}`);
}

function run({ options, events }: Scenario): ControlPlaneWorld {
  const world = new ControlPlaneWorld(controlPlaneFixture({ ...options, initialized: false }));
  const pending = [...events];
  let since = 0;
  for (let number = 0; number < roundsMax; number += 1) {
    const next = pending[0];
    const isDue =
      next !== undefined && (typeof next === 'function' ? world.isDone || number === 0 : since >= next.after);
    if (isDue) {
      pending.shift();
      (typeof next === 'function' ? next : next.act)(world);
      since = 0;
    } else if (pending.length === 0 && world.isDone) break;
    round(world, number);
    since += 1;
  }
  return world;
}

describe('a control plane and its machines, step by step', () => {
  it.each(scenarios)('$name', async (scenario) => {
    const world = run(scenario);
    world.lines.push(world.isDone ? 'done' : 'stands still');
    expect(world.isDone).toBe(scenario.endsBlocked !== true);
    await expect(`${world.lines.join('\n')}\n`).toMatchFileSnapshot(`testdata/${scenario.name}.log`);
  });
});
