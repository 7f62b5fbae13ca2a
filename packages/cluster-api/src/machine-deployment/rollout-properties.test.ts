import { seededRandom } from '@slipway/base';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { machineDeploymentFixture } from '../testing/rollout-objects.js';
import { RolloutSimulation } from '../testing/rollout-simulation.js';
import { rolloutLimits } from './index.js';

const stepsMax = 4000;

const amount = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('0%', '20%', '34%', '50%', '100%'));

/** A user action that happens after a number of steps. */
const userAction = fc.record({
  afterSteps: fc.integer({ min: 0, max: 60 }),
  version: fc.constantFrom('v1.35.0', 'v1.36.0', 'v1.36.1'),
  replicas: fc.option(fc.integer({ min: 0, max: 7 })),
});

const history = fc.record({
  seed: fc.integer(),
  replicas: fc.integer({ min: 1, max: 6 }),
  type: fc.constantFrom('RollingUpdate' as const, 'RollingUpdate' as const, 'OnDelete' as const),
  rollingUpdate: fc.record({ maxSurge: amount, maxUnavailable: amount }),
  actions: fc.array(userAction, { minLength: 1, maxLength: 4 }),
});

/**
 * Records violations of the rollout limits. Each step is compared with the previous state, against the limits that were valid
 * when the step was planned.
 */
function watch(simulation: RolloutSimulation, violations: string[]): void {
  let [machines, available, replicasBefore] = [simulation.machines.size, simulation.availableMachines, 0];
  const desired = new Map<string, number>();
  const floors = new Map<string, number>();
  const ceilings = new Map<string, number>();
  let scaledDown = false;
  simulation.onStep = (actor) => {
    const { replicas, maxSurge, minAvailable } = rolloutLimits(simulation.deployment);
    const [machinesNow, availableNow] = [simulation.machines.size, simulation.availableMachines];
    // After the user lowers spec.replicas, the new MachineSet shrinks immediately, even if its machines are available.
    scaledDown ||= replicas < replicasBefore;
    let raised = false;
    for (const [name, { spec }] of simulation.sets) {
      const [now, before] = [spec.replicas ?? 0, desired.get(name) ?? 0];
      if (now < before) floors.set(`set ${name}`, minAvailable);
      if (now > before) ceilings.set(`set ${name}`, replicas + maxSurge);
      raised ||= now > before;
      desired.set(name, now);
    }
    if (raised && machinesAtMost(simulation) > replicas + maxSurge)
      violations.push(`${machinesAtMost(simulation)} machines planned, at most ${replicas + maxSurge} may exist`);
    const ceiling = Math.max(ceilings.get(actor) ?? 0, replicas + maxSurge);
    // After scaling down, more machines may exist: a MachineSet may replace a machine that the user deleted before others are
    // gone.
    if (machinesNow > machines && machinesNow > ceiling && !scaledDown)
      violations.push(`${actor}: ${machinesNow} machines, at most ${ceiling} may exist`);
    const floor = floors.get(actor) ?? 0;
    if (availableNow < available && availableNow < floor && !scaledDown && !isOnDelete(simulation))
      violations.push(`${actor}: ${availableNow} machines available, at least ${floor} must be`);
    [machines, available, replicasBefore] = [machinesNow, availableNow, replicas];
  };
}

/** Returns the sum over all MachineSets of the desired or the existing machines, whichever is larger. */
function machinesAtMost(simulation: RolloutSimulation): number {
  const machines = [...simulation.machines.values()];
  return [...simulation.sets.values()].reduce((sum, { metadata, spec }) => {
    const own = machines.filter((machine) => machine.metadata.ownerReferences?.[0]?.uid === metadata.uid);
    return sum + Math.max(spec.replicas ?? 0, own.length);
  }, 0);
}

function isOnDelete(simulation: RolloutSimulation): boolean {
  return simulation.deployment.spec.rollout?.strategy?.type === 'OnDelete';
}

function act(simulation: RolloutSimulation, { version, replicas }: { version: string; replicas: number | null }): void {
  simulation.change(`version ${version}, replicas ${replicas ?? 'as before'}`, ({ spec }) => {
    spec.template.spec.version = version;
    if (replicas !== null) spec.replicas = replicas;
  });
}

/** Deletes outdated machines as a user would, with the OnDelete strategy. */
function deleteOutdated(simulation: RolloutSimulation, next: number): void {
  const outdated = [...simulation.machines.values()].filter((machine) =>
    machine.status?.conditions?.some(({ type, status }) => type === 'UpToDate' && status === 'False'),
  );
  const chosen = outdated[Math.floor(next * outdated.length)];
  if (chosen !== undefined) simulation.deleteMachine(chosen.metadata.name ?? '');
}

it('never exceeds maxSurge and maxUnavailable, and completes', () => {
  fc.assert(
    fc.property(history, ({ seed, replicas, type, rollingUpdate, actions }) => {
      const simulation = new RolloutSimulation(machineDeploymentFixture({ replicas, type, rollingUpdate }));
      const violations: string[] = [];
      watch(simulation, violations);
      const random = seededRandom(seed);
      const pending = [...actions];
      let wait = 40;
      for (let step = 0; step < stepsMax && (pending.length > 0 || !simulation.isDone); step += 1) {
        const actors = simulation.actors();
        const actor = actors[Math.floor(random.next() * actors.length)];
        if (actor !== undefined) simulation.step(actor);
        if (isOnDelete(simulation) && step % 50 === 0) deleteOutdated(simulation, random.next());
        wait -= 1;
        if (wait > 0) continue;
        const action = pending.shift();
        if (action !== undefined) act(simulation, action);
        wait = pending[0]?.afterSteps ?? 0;
      }
      expect(violations.length === 0 ? '' : [...violations, ...simulation.lines].join('\n')).toBe('');
      expect(simulation.outcome).toBe('done');
    }),
    { numRuns: 150 },
  );
}, 30_000);
