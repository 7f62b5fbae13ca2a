import { seededRandom } from '@slipway/base';
import { describe, expect, it } from 'vitest';
import type { MachineDeployment } from '../api/index.js';
import { type DeploymentOptions, machineDeploymentFixture } from '../testing/rollout-objects.js';
import { RolloutWorld } from '../testing/rollout-world.js';

const roundsMax = 60;

interface Scenario {
  readonly name: string;
  readonly options: DeploymentOptions;
  /** Action before each round. In round 0 everything is running. */
  readonly events: Readonly<Record<number, (world: RolloutWorld) => void>>;
}

function upgrade(world: RolloutWorld, version = 'v1.36.0'): void {
  world.change(`version ${version}`, ({ spec }) => {
    spec.template.spec.version = version;
  });
}

function resize(world: RolloutWorld, replicas: number): void {
  world.change(`replicas ${replicas}`, ({ spec }) => {
    spec.replicas = replicas;
  });
}

function deleteOldest(world: RolloutWorld): void {
  const [name] = world.machines.keys();
  if (name === undefined) return;
  world.lines.push(`== user deletes ${name}`);
  world.deleteMachine(name);
}

function fail(world: RolloutWorld, count: number): void {
  for (const name of [...world.machines.keys()].slice(0, count)) {
    world.lines.push(`== health check of ${name} fails`);
    world.setMachineCondition(name, 'HealthCheckSucceeded', 'False', 'UnhealthyNode', 'Health check failed');
    world.setMachineCondition(name, 'OwnerRemediated', 'False', 'WaitingForRemediation', 'Waiting for remediation');
  }
}

const scenarios: Scenario[] = [
  {
    name: 'rolling-update-3-surge-1-unavailable-0',
    options: { replicas: 3 },
    events: { 0: upgrade },
  },
  {
    name: 'rolling-update-3-surge-0-unavailable-1',
    options: { replicas: 3, rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    events: { 0: upgrade },
  },
  {
    name: 'rolling-update-6-surge-3-unavailable-1',
    options: { replicas: 6, rollingUpdate: { maxSurge: 3, maxUnavailable: 1 } },
    events: { 0: upgrade },
  },
  {
    name: 'rolling-update-6-surge-0-unavailable-50-percent',
    options: { replicas: 6, rollingUpdate: { maxSurge: 0, maxUnavailable: '50%' } },
    events: { 0: upgrade },
  },
  {
    name: 'rolling-update-3-to-5',
    options: { replicas: 3 },
    events: {
      0: (world) => {
        upgrade(world);
        resize(world, 5);
      },
    },
  },
  {
    name: 'scale-up-during-rollout',
    options: { replicas: 3 },
    events: { 0: upgrade, 2: (world) => resize(world, 6) },
  },
  {
    name: 'scale-down-during-rollout',
    options: { replicas: 6, rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } },
    events: { 0: upgrade, 3: (world) => resize(world, 2) },
  },
  {
    name: 'change-during-rollout',
    options: { replicas: 3 },
    events: { 0: upgrade, 3: (world) => upgrade(world, 'v1.36.1') },
  },
  {
    name: 'rollback-during-rollout',
    options: { replicas: 3 },
    events: { 0: upgrade, 7: (world) => upgrade(world, 'v1.35.0') },
  },
  {
    name: 'change-while-new-machines-never-come-up',
    options: { replicas: 3 },
    events: {
      0: upgrade,
      2: (world) => {
        const newest = [...world.machines.keys()].at(-1) ?? '';
        world.lines.push(`== ${newest} never comes up`);
        world.broken.add(newest);
      },
      5: (world) => upgrade(world, 'v1.36.1'),
    },
  },
  {
    name: 'old-machine-is-unavailable',
    options: { replicas: 3 },
    events: {
      0: (world) => {
        const [oldest = ''] = world.machines.keys();
        world.lines.push(`== ${oldest} breaks`);
        world.broken.add(oldest);
        world.setMachineCondition(oldest, 'Available', 'False', 'NotReady');
        world.setMachineCondition(oldest, 'NodeHealthy', 'False', 'NodeNotHealthy');
        upgrade(world);
      },
    },
  },
  {
    name: 'on-delete',
    options: { replicas: 3, type: 'OnDelete' },
    events: { 0: upgrade, 2: deleteOldest, 5: deleteOldest, 8: deleteOldest },
  },
  {
    name: 'on-delete-scale-down',
    options: { replicas: 4, type: 'OnDelete' },
    events: { 0: upgrade, 2: deleteOldest, 5: (world) => resize(world, 2), 8: deleteOldest, 13: deleteOldest },
  },
  {
    name: 'paused-then-resumed',
    options: { replicas: 3 },
    events: {
      0: (world) => {
        upgrade(world);
        world.change('paused', ({ spec }) => {
          spec.paused = true;
        });
      },
      1: (world) => resize(world, 4),
      4: (world) =>
        world.change('resumed', ({ spec }) => {
          delete spec.paused;
        }),
    },
  },
  {
    name: 'rollout-after',
    options: { replicas: 2 },
    events: {
      1: (world) =>
        world.change('rollout after a time that has passed', ({ spec }) => {
          spec.rollout = { ...spec.rollout, after: new Date(world.nowMs).toISOString() };
        }),
    },
  },
  {
    name: 'remediation-max-in-flight-1',
    options: { replicas: 4, maxInFlight: 1 },
    events: { 0: (world) => fail(world, 3) },
  },
  {
    name: 'min-ready-seconds',
    options: { replicas: 2 },
    events: {
      0: (world) => {
        world.change('minReadySeconds 10, in place', ({ spec }) => {
          spec.template.spec.minReadySeconds = 10;
        });
        upgrade(world);
      },
    },
  },
];

function runRound(world: RolloutWorld): void {
  for (const actor of world.actors()) world.step(actor);
}

/** Actors move in random order, at least once in a while, and some observe stale state for longer than others. */
function runRandomRound(world: RolloutWorld, next: () => number): void {
  const actors = world.actors();
  for (let count = actors.length * 2; count > 0; count -= 1) {
    const actor = actors[Math.floor(next() * actors.length)];
    if (actor !== undefined) world.step(actor);
  }
}

function startWorld(deployment: MachineDeployment): RolloutWorld {
  const world = new RolloutWorld(deployment);
  for (let round = 0; round < 6; round += 1) runRound(world);
  expect(world.isDone).toBe(true);
  world.lines.length = 0;
  return world;
}

function run({ options, events }: Scenario, round: (world: RolloutWorld) => void): RolloutWorld {
  const world = startWorld(machineDeploymentFixture(options));
  world.lines.push(`start: ${world.summary()}`);
  const lastEvent = Math.max(...Object.keys(events).map(Number));
  for (let index = 0; index < roundsMax && (index <= lastEvent || !world.isDone); index += 1) {
    world.lines.push(`-- round ${index}`);
    events[index]?.(world);
    round(world);
    world.lines.push(`   ${world.summary()}`);
  }
  world.lines.push(`end: ${world.summary()}`);
  return world;
}

describe('rollouts in a fixed order', () => {
  it.each(scenarios)('$name', async (scenario) => {
    const world = run(scenario, runRound);
    expect(world.outcome).toBe('done');
    await expect(`${world.lines.join('\n')}\n`).toMatchFileSnapshot(`testdata/${scenario.name}.log`);
  });
});

describe('rollouts in a random order', () => {
  // If the user deletes the third machine before the second is gone, other machines remain: only the final state is
  // compared.
  it.each(scenarios.filter(({ options }) => options.type !== 'OnDelete'))('$name', (scenario) => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = seededRandom(seed);
      const world = run(scenario, (one) => runRandomRound(one, () => random.next()));
      expect(`seed ${seed}: ${world.outcome}`).toBe(`seed ${seed}: done`);
    }
  });
});
