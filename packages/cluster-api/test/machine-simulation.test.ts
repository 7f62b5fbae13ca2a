import { afterEach, expect, it } from 'vitest';
import { type Random, seededRandom } from '@slipway/base';
import { isDeleting } from '@slipway/runtime';
import { clusters, machineDeployments, machines, machineSets, nameOf } from '../src/index.js';
import { keyOfName, machineDeployment, MachineWorld } from './support/machine-world.js';
import { setRefusal } from './support/provider-kinds.js';

const stepsMax = 25;
const replicasMax = 4;
const surge = 1;
const deployments = machineDeployments;

let world: MachineWorld;
afterEach(async () => {
  setRefusal(() => false);
  await world.plane.stop();
});

interface Wanted {
  replicas: number;
  version: string;
  /** The maximum since the last change: scaling down takes time. */
  most: number;
}

type Step = (random: Random, wanted: Wanted) => Promise<string>;

const pick = (random: Random, count: number): number => Math.floor(random.next() * count);

const steps: readonly Step[] = [
  async (random, wanted) => {
    const replicas = pick(random, replicasMax + 1);
    wanted.most = Math.max(wanted.most, replicas + surge);
    wanted.replicas = replicas;
    await world.scale(deployments, 'md', replicas);
    return `scale to ${replicas}`;
  },
  async (random, wanted) => {
    wanted.version = `v1.35.${pick(random, 5)}`;
    await world.patch(deployments, 'md', { spec: { template: { spec: { version: wanted.version } } } });
    return `version ${wanted.version}`;
  },
  async (random) => {
    const all = (await world.machines()).filter((machine) => !isDeleting(machine));
    const victim = all[pick(random, Math.max(all.length, 1))];
    if (victim === undefined) return 'nothing to delete';
    await world.plane.client.delete(machines, keyOfName(nameOf(victim)));
    return `delete ${nameOf(victim)}`;
  },
  async () => {
    await world.plane.restartControllers();
    return 'restart';
  },
  async (random) => {
    const paused = random.next() < 0.5;
    await world.patch(clusters, 'c', { spec: { paused } });
    return `paused ${paused}`;
  },
  async (random) => {
    await world.plane.clock.advance(pick(random, 5));
    return 'a moment';
  },
  async () => {
    await world.actor.act();
    return 'machines step';
  },
  async () => {
    await world.actor.act(2);
    return 'machines step twice';
  },
];

/** Objects of a machine exist only with it, except those being created. */
async function leftovers(): Promise<string[]> {
  const { machines: names, infrastructure, bootstrap } = await world.triples();
  return [...infrastructure, ...bootstrap].filter((name) => !names.includes(name));
}

it.each([1, 2, 3, 4, 5, 6])('keeps the invariants for random actions in random order: seed %i', async (seed) => {
  const random = seededRandom(seed);
  // The provider rejects one in five machines at first.
  setRefusal(() => random.next() < 0.2);
  world = await MachineWorld.start();
  const wanted: Wanted = { replicas: 2, version: 'v1.35.0', most: 2 + surge };
  await world.plane.client.create(machineDeployments, machineDeployment(wanted.replicas));
  const told: string[] = [];
  for (let step = 0; step < stepsMax; step += 1) {
    const act = steps[pick(random, steps.length)] as Step;
    told.push(await act(random, wanted));
    const count = (await world.machines()).length;
    expect({ told, tooMany: count > wanted.most && count }).toEqual({ told, tooMany: false });
  }
  await world.patch(clusters, 'c', { spec: { paused: false } });
  setRefusal(() => false);
  for (let round = 0; round < 40; round += 1) {
    await world.plane.clock.advance(60_000);
    await world.actor.act();
  }
  const all = await world.machines();
  const { items: sets } = await world.plane.client.list(machineSets, { namespace: 'default' });
  expect({
    told,
    versions: all.map(({ spec }) => spec.version),
    sets: sets.length,
    leftovers: await leftovers(),
    status: (await world.deployment()).status?.phase,
  }).toEqual({
    told,
    versions: Array.from({ length: wanted.replicas }, () => wanted.version),
    sets: 1,
    leftovers: [],
    status: 'Running',
  });
  await world.plane.client.delete(machineDeployments, keyOfName('md'));
  await world.actor.act(4);
  await world.plane.untilGone(deployments, keyOfName('md'));
  expect(await world.triples()).toEqual({ machines: [], infrastructure: [], bootstrap: [] });
});
