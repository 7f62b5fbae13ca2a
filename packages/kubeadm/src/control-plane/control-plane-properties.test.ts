import { seededRandom } from '@slipway/base';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { quorumOf } from '../etcd/index.js';
import { controlPlaneFixture } from '../testing/control-plane-objects.js';
import { SimulatedControlPlane } from '../testing/simulated-control-plane.js';
import type { ControlPlaneDecision } from './control-plane.js';

const stepsMax = 1500;

const action = fc.record({
  afterSteps: fc.integer({ min: 1, max: 60 }),
  what: fc.constantFrom('scale', 'upgrade', 'etcd', 'components', 'lost', 'stuck', 'health', 'delete', 'recover'),
  number: fc.nat({ max: 9 }),
});

const history = fc.record({
  seed: fc.integer(),
  replicas: fc.constantFrom(1, 3, 5),
  maxSurge: fc.constantFrom(0, 1),
  actions: fc.array(action, { maxLength: 12 }),
});

type Action = { readonly what: string; readonly number: number };

function act(simulated: SimulatedControlPlane, { what, number }: Action): void {
  const hosts = [...simulated.hosts.values()];
  const host = hosts[number % Math.max(hosts.length, 1)];
  if (what === 'scale') simulated.change(`scale`, ({ spec }) => void (spec.replicas = [1, 3, 5][number % 3] ?? 1));
  if (what === 'upgrade') simulated.change('upgrade', ({ spec }) => void (spec.version = `v1.36.${number}`));
  if (what === 'stuck') simulated.breakNext = 1;
  if (host === undefined) return;
  if (what === 'etcd') host.etcdAlive = false;
  if (what === 'components') host.componentsAlive = false;
  if (what === 'lost') [host.etcdAlive, host.componentsAlive] = [false, false];
  if (what === 'health') simulated.failHealthCheck(host);
  if (what === 'delete') simulated.deleteMachine(host);
  if (what === 'recover')
    for (const each of hosts)
      if (each.machine.status?.nodeRef !== undefined) [each.etcdAlive, each.componentsAlive] = [true, true];
  simulated.say(`${what} ${host.machine.metadata.name}`);
}

/** Returns the number of voters, and of responding voters, after the member of a deleted machine is removed. */
function afterwards(
  simulated: SimulatedControlPlane,
  decision: ControlPlaneDecision,
): { voters: number; alive: number } {
  const isDeleting = (host: string): boolean =>
    (decision.type === 'release' && decision.machine === host) ||
    (decision.type === 'removeMember' && decision.member.name === host);
  const isRemoved = (id: string): boolean =>
    (decision.type === 'release' || decision.type === 'removeMember') && decision.member?.id === id;
  const voters = simulated.voters.filter(({ id }) => !isRemoved(id));
  return {
    voters: voters.length,
    alive: voters.filter((each) => simulated.isAlive(each) && !isDeleting(each.host)).length,
  };
}

/** Checks each decision when it is made, against the simulated state instead of the input of the planner. */
function checkDecision(simulated: SimulatedControlPlane, violations: string[]): void {
  simulated.onDecision = (decision) => {
    if (simulated.voters.length === 0 || !simulated.hasQuorum || simulated.hosts.size <= 1) return;
    const { voters, alive } = afterwards(simulated, decision);
    if (alive < quorumOf(voters)) violations.push(`${decision.type}: ${alive} of ${voters} voters would be left`);
    // The new machine may fail after it has joined. A cluster with more than one member must tolerate that.
    if (decision.type === 'create' && voters > 1 && alive < quorumOf(voters + 1))
      violations.push(`create: ${alive} of ${voters + 1} voters would be left`);
    if (decision.type === 'delete' || decision.type === 'remediate') {
      const deleting = [...simulated.hosts.values()].filter(
        ({ machine }) => machine.metadata.deletionTimestamp !== undefined,
      );
      // A machine that has stopped has no vote to lose, and a deleting one may have to wait for its replacement.
      const isLost = decision.type === 'remediate' && simulated.silentNodes.has(decision.machine);
      if (deleting.length > 0 && !isLost) violations.push(`${decision.type} while another machine is going`);
    }
  };
}

it('never makes a change after which etcd could lose quorum', () => {
  fc.assert(
    fc.property(history, ({ seed, replicas, maxSurge, actions }) => {
      const simulated = new SimulatedControlPlane(controlPlaneFixture({ replicas, maxSurge, initialized: false }));
      const violations: string[] = [];
      checkDecision(simulated, violations);
      const random = seededRandom(seed);
      const pending = [...actions];
      let wait = 40;
      for (let step = 0; step < stepsMax && (pending.length > 0 || step < 200); step += 1) {
        const actors = simulated.actors();
        const actor = actors[Math.floor(random.next() * actors.length)];
        if (actor !== undefined) simulated.step(actor);
        wait -= 1;
        if (wait > 0) continue;
        const next = pending.shift();
        if (next === undefined) continue;
        act(simulated, next);
        wait = next.afterSteps;
      }
      expect(violations.length === 0 ? '' : [...violations, ...simulated.lines].join('\n')).toBe('');
    }),
    { numRuns: 200 },
  );
}, 60_000);

it('reaches the desired state after any sequence of scaling and upgrades', () => {
  const calm = fc.record({
    afterSteps: fc.integer({ min: 1, max: 80 }),
    what: fc.constantFrom('scale', 'upgrade', 'delete'),
    number: fc.nat({ max: 9 }),
  });
  fc.assert(
    fc.property(
      fc.record({
        seed: fc.integer(),
        replicas: fc.constantFrom(1, 3, 5),
        maxSurge: fc.constantFrom(0, 1),
        actions: fc.array(calm, { maxLength: 5 }),
      }),
      ({ seed, replicas, maxSurge, actions }) => {
        const surge =
          replicas < 3 || actions.some(({ what, number }) => what === 'scale' && number % 3 === 0) ? 1 : maxSurge;
        const simulated = new SimulatedControlPlane(
          controlPlaneFixture({ replicas, maxSurge: surge, initialized: false }),
        );
        const random = seededRandom(seed);
        const pending = [...actions];
        let wait = 40;
        for (let step = 0; step < 4000 && (pending.length > 0 || !simulated.isDone); step += 1) {
          const actors = simulated.actors();
          const actor = actors[Math.floor(random.next() * actors.length)];
          if (actor !== undefined) simulated.step(actor);
          wait -= 1;
          const next = pending[0];
          // Delete one machine at a time: deleting a majority together would block.
          const isBusy = next?.what === 'delete' && !simulated.isDone;
          if (wait > 0 || next === undefined || isBusy) continue;
          pending.shift();
          act(simulated, next);
          wait = next.afterSteps;
        }
        expect(simulated.isDone ? 'done' : simulated.lines.join('\n')).toBe('done');
      },
    ),
    { numRuns: 100 },
  );
}, 60_000);
