import { done, joinOutcomes, type Outcome, ReconcileError, wait } from '@slipway/runtime';
import { type MachineTemplates, missingTemplates } from '../machine-templates/index.js';
import { inBatches } from '../machines/index.js';
import { createMachine } from './create-machine.js';
import { deleteLeftovers } from './delete-leftovers.js';
import { deleteMachine, machineNamed } from './delete-machines.js';
import { type MachineSetPass, tell } from './machine-set-pass.js';
import type { ReplicaChange, ReplicaPlan } from './replica-plan.js';
import { planReplicas } from './replica-planner.js';

/** Makes the machines that are missing and deletes those that are too many. */
export async function syncReplicas(pass: MachineSetPass): Promise<Outcome> {
  const { context, set } = pass;
  if (set.spec.replicas === undefined)
    throw new ReconcileError('ReplicasNotSet', `MachineSet ${set.metadata.name ?? ''} has no spec.replicas`, {
      retry: 'onChange',
      remedy: 'set it',
    });
  const { templates } = pass;
  if (templates === undefined) return done();
  await deleteLeftovers(pass, templates);
  const plan = planReplicas({
    machineSet: set,
    machines: pass.machines,
    missing: missingTemplates(templates),
    preflightFailures: pass.preflightFailures,
    nowMs: context.clock.now(),
    random: context.random,
  });
  if (plan.blocked?.reason === 'PreflightChecksFailed')
    pass.creationFailure = { reason: 'PreflightCheckFailed', message: plan.blocked.messages.join('; ') };
  const carriedOut = await inBatches(plan.changes, 'stop', (change) => carryOut(pass, templates, change));
  return joinOutcomes([carriedOut, outcomeOf(plan)]);
}

async function carryOut(pass: MachineSetPass, templates: MachineTemplates, change: ReplicaChange): Promise<void> {
  const { context, set } = pass;
  const { name, reason } = change;
  if (change.verb === 'create') {
    const machine = await createMachine(pass, templates, name);
    pass.machines = [...pass.machines, machine];
    context.logger.info({ Machine: { namespace: set.metadata.namespace ?? '', name }, reason }, 'Created machine');
    tell(context.events, set, 'Normal', 'SuccessfulCreate', `Created Machine "${name}"`);
    return;
  }
  const machine = machineNamed(pass, name);
  if (machine === undefined) return;
  await deleteMachine(pass, machine);
  const fields = { Machine: { namespace: set.metadata.namespace ?? '', name }, reason, cause: change.cause };
  context.logger.info(fields, 'Deleting machine');
  tell(context.events, set, 'Normal', 'SuccessfulDelete', `Deleted Machine "${name}"`);
}

function outcomeOf({ blocked, requeueAfterMs }: ReplicaPlan): Outcome {
  if (blocked === undefined) return done();
  const cause = { reason: blocked.reason, message: blocked.messages.join('; ') };
  return wait(requeueAfterMs === undefined ? cause : { ...cause, ms: requeueAfterMs });
}
