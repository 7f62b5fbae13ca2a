import { afterEach, expect, it } from 'vitest';
import { type Random, seededRandom } from '@slipway/base';
import { isDeleting } from '@slipway/runtime';
import { clusters, machineDeployments, machines, machineSets, nameOf } from '../src/index.js';
import { keyOfName, machineDeployment, MachineEnvironment } from './support/machine-environment.js';
import { setRefusal } from './support/provider-kinds.js';

const stepsMax = 25;
const replicasMax = 4;
const surge = 1;
const deployments = machineDeployments;

let environment: MachineEnvironment;
afterEach(async () => {
  setRefusal(() => false);
  await environment.plane.stop();
});

interface Desired {
  replicas: number;
  version: string;
  /** The maximum since the last change. It is not lowered immediately, because scaling down takes time. */
  most: number;
}

type Step = (random: Random, desired: Desired) => Promise<string>;

const pick = (random: Random, count: number): number => Math.floor(random.next() * count);

const steps: readonly Step[] = [
  async (random, desired) => {
    const replicas = pick(random, replicasMax + 1);
    desired.most = Math.max(desired.most, replicas + surge);
    desired.replicas = replicas;
    await environment.scale(deployments, 'md', replicas);
    return `scale to ${replicas}`;
  },
  async (random, desired) => {
    desired.version = `v1.35.${pick(random, 5)}`;
    await environment.patch(deployments, 'md', { spec: { template: { spec: { version: desired.version } } } });
    return `version ${desired.version}`;
  },
  async (random) => {
    const all = (await environment.machines()).filter((machine) => !isDeleting(machine));
    const victim = all[pick(random, Math.max(all.length, 1))];
    if (victim === undefined) return 'nothing to delete';
    await environment.plane.client.delete(machines, keyOfName(nameOf(victim)));
    return `delete ${nameOf(victim)}`;
  },
  async () => {
    await environment.plane.restartControllers();
    return 'restart';
  },
  async (random) => {
    const paused = random.next() < 0.5;
    await environment.patch(clusters, 'c', { spec: { paused } });
    return `paused ${paused}`;
  },
  async (random) => {
    await environment.plane.clock.advance(pick(random, 5));
    return 'a moment';
  },
  async () => {
    await environment.actor.act();
    return 'machines step';
  },
  async () => {
    await environment.actor.act(2);
    return 'machines step twice';
  },
];

/** Returns objects without a Machine, except those of a Machine that is being created. */
async function leftovers(): Promise<string[]> {
  const { machines: names, infrastructure, bootstrap } = await environment.triples();
  return [...infrastructure, ...bootstrap].filter((name) => !names.includes(name));
}

it.each([1, 2, 3, 4, 5, 6])('keeps the invariants for random actions in random order: seed %i', async (seed) => {
  const random = seededRandom(seed);
  // The provider rejects one in five machines at first.
  setRefusal(() => random.next() < 0.2);
  environment = await MachineEnvironment.start();
  const desired: Desired = { replicas: 2, version: 'v1.35.0', most: 2 + surge };
  await environment.plane.client.create(machineDeployments, machineDeployment(desired.replicas));
  const reported: string[] = [];
  for (let step = 0; step < stepsMax; step += 1) {
    const act = steps[pick(random, steps.length)] as Step;
    reported.push(await act(random, desired));
    const count = (await environment.machines()).length;
    expect({ reported, tooMany: count > desired.most && count }).toEqual({ reported, tooMany: false });
  }
  await environment.patch(clusters, 'c', { spec: { paused: false } });
  setRefusal(() => false);
  for (let round = 0; round < 40; round += 1) {
    await environment.plane.clock.advance(60_000);
    await environment.actor.act();
  }
  const all = await environment.machines();
  const { items: sets } = await environment.plane.client.list(machineSets, { namespace: 'default' });
  expect({
    reported,
    versions: all.map(({ spec }) => spec.version),
    sets: sets.length,
    leftovers: await leftovers(),
    status: (await environment.deployment()).status?.phase,
  }).toEqual({
    reported,
    versions: Array.from({ length: desired.replicas }, () => desired.version),
    sets: 1,
    leftovers: [],
    status: 'Running',
  });
  await environment.plane.client.delete(machineDeployments, keyOfName('md'));
  await environment.actor.act(4);
  await environment.plane.untilGone(deployments, keyOfName('md'));
  expect(await environment.triples()).toEqual({ machines: [], infrastructure: [], bootstrap: [] });
});
