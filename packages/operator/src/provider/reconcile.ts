import {
  done,
  ensureFinalizer,
  isDeleting,
  type ObjectKey,
  type Outcome,
  patchObject,
  type ReconcileContext,
  type Resource,
  wait,
} from '@slipway/runtime';
import { finalizer, installReasons, preflightReasons, type ProviderObject } from '../api/index.js';
import { installError, PhaseError } from '../phase-error.js';
import { reconcileDelete } from './delete-provider.js';
import type { ControllerWorld } from './operator-world.js';
import { ProviderRun } from './provider-run.js';
import { runPhases } from './phases.js';

/** Installs a provider, keeps it as its object says, and takes it away when the object goes. */
export async function reconcileProvider(
  resource: Resource<ProviderObject>,
  key: ObjectKey,
  context: ReconcileContext,
  world: ControllerWorld,
): Promise<Outcome> {
  const { sources, client, signal, clock, events } = context;
  const provider = sources.sourceFor(resource).get(key);
  if (provider === undefined) return done();
  if (isDeleting(provider)) return reconcileDelete(resource, provider, context, world);
  const { changed } = await ensureFinalizer(context, resource, provider, finalizer);
  // The event of this write brings us back.
  if (changed) return done();
  const run = new ProviderRun({ resource, provider, context, world });
  const error = await failureOf(run);
  if (error === undefined) run.report.complete();
  else run.report.failed(error, run.secretValues);
  run.report.tell(provider, events);
  const after = run.report.onto(run.provider, clock.now());
  await patchObject(client, resource, run.provider, after, { ownedConditions: run.report.types, signal });
  if (error === undefined) return done();
  // Waiting is neither an error nor a retry: the watch of the CoreProvider ends it.
  if (error.reason === preflightReasons.waitingForCore) return wait({ reason: error.reason, message: error.message });
  throw error;
}

/** A download, a scale-down and some hundred objects: longer than a look at one object takes elsewhere. */
export const phasesTimeoutMs = 240_000;

async function failureOf(run: ProviderRun): Promise<PhaseError | undefined> {
  try {
    if (!(await run.within(phasesTimeoutMs, () => runPhases(run)))) return undefined;
  } catch (error) {
    if (error instanceof PhaseError) return error;
    throw error;
  }
  return installError(installReasons.timedOut, `${run.lastPhase} was not done within ${phasesTimeoutMs / 1_000} s`, {
    retry: 'later',
    remedy: 'it is tried again; is the API server, or where the manifests come from, very slow?',
  });
}
