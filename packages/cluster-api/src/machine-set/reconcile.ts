import {
  controllerOf,
  done,
  hasFinalizer,
  isDeleting,
  joinOutcomes,
  type ObjectKey,
  openReconcile,
  type Outcome,
  patchObject,
  type ReconcileContext,
  wait,
} from '@slipway/runtime';
import { finalizers, machineDeployments, machineSets } from '../api/index.js';
import { observeTemplates, ownTemplates } from '../machine-templates/index.js';
import { staleInMs } from '../machines/index.js';
import { clusterOf, type Phase, runPhases, step } from '../reconcile/index.js';
import { checkPreflight } from './check-preflight.js';
import { deleteSet } from './delete-set.js';
import type { MachineSetPass, MachineSetTools } from './machine-set-pass.js';
import { countersRetryMs } from './machine-set-status.js';
import { observeMachines } from './observe-machines.js';
import { ownSet } from './own-set.js';
import { remediateMachines } from './remediate-machines.js';
import type { ObservedMachineSet } from './replica-plan.js';
import { ownedConditions, reportStatus } from './report-status.js';
import { syncMachines } from './sync-machines.js';
import { syncReplicas } from './sync-replicas.js';

/** Keeps as many machines of the set's template as are wanted. */
export async function reconcileMachineSet(
  key: ObjectKey,
  context: ReconcileContext,
  tools: MachineSetTools,
): Promise<Outcome> {
  const observed = context.sources.sourceFor(machineSets).get(key);
  if (observed === undefined) return done();
  const rest = tools.pace.restMs(uidOf(observed), observed.status?.replicas ?? 0, context.clock.monotonic());
  if (rest > 0) return wait({ ms: rest, reason: 'Resting', message: 'the set is large and was looked at just now' });
  const cluster = clusterOf(context.sources, observed);
  const opened = await openReconcile(context, machineSets, observed, {
    finalizer: finalizers.machineSet,
    cluster,
    reportsPaused: true,
  });
  if (!opened) return done();
  const pass: MachineSetPass = {
    context,
    tools,
    cluster,
    deployment: deploymentOf(context, observed),
    set: observed,
    machines: [],
    templates: undefined,
    preflightFailures: [],
    creationFailure: undefined,
  };
  const outcome = await runPhases(isDeleting(observed) ? deletion(pass) : upkeep(pass));
  const failed = outcome.type === 'retry' || outcome.type === 'terminal';
  const { client, signal } = context;
  await patchObject(client, machineSets, observed, reportStatus(pass, failed), { ownedConditions, signal });
  if (!hasFinalizer(pass.set, finalizers.machineSet)) tools.pace.forget(uidOf(observed));
  return joinOutcomes([outcome, refresh(pass)]);
}

function uidOf({ metadata }: ObservedMachineSet): string {
  return metadata.uid ?? '';
}

function upkeep(pass: MachineSetPass): Phase[] {
  return [
    step(() => ownSet(pass)),
    step(() => useTemplates(pass)),
    step(() => checkPreflight(pass)),
    // Who does not know the machines must not act as if there were none.
    async () => {
      await observeMachines(pass);
      return runPhases([() => remediateMachines(pass), () => syncMachines(pass), () => syncReplicas(pass)]);
    },
  ];
}

/** Nothing but the machines: deletion needs neither the Cluster nor the templates, which may be gone. */
function deletion(pass: MachineSetPass): Phase[] {
  return [
    async () => {
      await observeMachines(pass);
      return deleteSet(pass);
    },
  ];
}

async function useTemplates(pass: MachineSetPass): Promise<void> {
  pass.templates = await observeTemplates(pass.context, machineSets, pass.set);
  if (pass.cluster !== undefined) await ownTemplates(pass.context, pass.cluster, pass.templates);
}

function deploymentOf({ sources }: ReconcileContext, set: ObservedMachineSet): MachineSetPass['deployment'] {
  const owner = controllerOf(set);
  if (owner?.kind !== 'MachineDeployment') return undefined;
  return sources.sourceFor(machineDeployments).get({ namespace: set.metadata.namespace ?? '', name: owner.name });
}

/** Machines tell of their changes themselves; time alone makes them available, or late. */
function refresh({ set, machines, context }: MachineSetPass): Outcome {
  const available = isDeleting(set) ? undefined : countersRetryMs(set, machines);
  const stale = staleInMs(machines, context.clock.now());
  return joinOutcomes([
    available === undefined ? done() : wait({ ms: available, reason: 'NotReady', message: 'not all are available' }),
    stale === undefined ? done() : wait({ ms: stale, reason: 'Deleting', message: 'machines are in deletion' }),
  ]);
}
