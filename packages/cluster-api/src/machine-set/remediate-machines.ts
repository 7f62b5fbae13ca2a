import {
  type ConditionTarget,
  deleteCondition,
  done,
  edit,
  markFalse,
  markTrue,
  type Outcome,
  patchObject,
  setCondition,
  type V1beta1Target,
  wait,
} from '@slipway/runtime';
import { machines as machineResource, remediationReasons } from '../api/index.js';
import type { ObservedMachine } from '../machines/index.js';
import { deleteMachine, machineNamed, replaceMachine } from './delete-machines.js';
import type { MachineSetPass } from './machine-set-pass.js';
import { planRemediation, type RemediationChange } from './remediation-planner.js';

const ownedConditions = ['OwnerRemediated'];

/** Replaces unhealthy machines: deletes them, so that new ones are made in their place. */
export async function remediateMachines(pass: MachineSetPass): Promise<Outcome> {
  const { set, machines, deployment, preflightFailures } = pass;
  const plan = planRemediation({ machineSet: set, machines, deployment, preflightFailures });
  for (const change of plan.changes) await carryOut(pass, change);
  if (plan.requeueAfterMs === undefined) return done();
  const message = preflightFailures.join('; ');
  return wait({ ms: plan.requeueAfterMs, reason: remediationReasons.remediationDeferred, message });
}

async function carryOut(pass: MachineSetPass, change: RemediationChange): Promise<void> {
  const machine = machineNamed(pass, change.name);
  if (machine === undefined) return;
  const { context } = pass;
  if (change.verb === 'delete') {
    await deleteMachine(pass, machine);
    const fields = { Machine: { namespace: machine.metadata.namespace ?? '', name: change.name } };
    context.logger.info({ ...fields, reason: change.reason }, 'Deleting unhealthy machine');
    return;
  }
  const after = change.verb === 'clear' ? cleared(machine) : marked(pass, machine, change);
  const { client, signal } = context;
  replaceMachine(pass, await patchObject(client, machineResource, machine, after, { ownedConditions, signal }));
}

function cleared(machine: ObservedMachine): ObservedMachine {
  return edit(machine, (draft) => {
    deleteCondition(draft as ConditionTarget, 'OwnerRemediated');
    const deprecated = draft.status?.deprecated?.v1beta1;
    if (deprecated?.conditions !== undefined)
      deprecated.conditions = deprecated.conditions.filter(({ type }) => type !== 'OwnerRemediated');
  });
}

function marked(
  pass: MachineSetPass,
  machine: ObservedMachine,
  { condition, reason }: Extract<RemediationChange, { verb: 'patch' }>,
): ObservedMachine {
  const nowMs = pass.context.clock.now();
  return edit(machine, (draft) => {
    setCondition(draft as ConditionTarget, condition, nowMs);
    // In the old style the owner has done its part once the machine is deleted; what waits is told only when checks fail.
    if (reason === remediationReasons.machineDeleting) markTrue(draft as V1beta1Target, 'OwnerRemediated', nowMs);
    else if (reason === remediationReasons.remediationDeferred && pass.preflightFailures.length > 0) {
      const message = pass.preflightFailures.join('; ');
      const cause = { reason: remediationReasons.waitingForRemediation, severity: 'Warning', message } as const;
      markFalse(draft as V1beta1Target, 'OwnerRemediated', cause, nowMs);
    }
  });
}
