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
import { finalizer, preflightReasons, type ProviderObject } from '../api/index.js';
import { PhaseError } from '../phase-error.js';
import { reconcileDelete } from './delete-provider.js';
import type { OperatorWorld } from './operator-world.js';
import { ProviderRun } from './provider-run.js';
import { runPhases } from './phases.js';

/** Installs a provider, keeps it as its object says, and takes it away when the object goes. */
export async function reconcileProvider(
  resource: Resource<ProviderObject>,
  key: ObjectKey,
  context: ReconcileContext,
  world: OperatorWorld,
): Promise<Outcome> {
  const { sources, client, signal, clock, events } = context;
  const provider = sources.sourceFor(resource).get(key);
  if (provider === undefined) return done();
  if (isDeleting(provider)) return reconcileDelete(resource, provider, context, world);
  const { changed } = await ensureFinalizer(client, resource, provider, finalizer, { signal });
  // The event of this write brings us back.
  if (changed) return done();
  const run = new ProviderRun({ resource, provider, context, world });
  const error = await failureOf(runPhases(run));
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

async function failureOf(phases: Promise<void>): Promise<PhaseError | undefined> {
  try {
    await phases;
    return undefined;
  } catch (error) {
    if (error instanceof PhaseError) return error;
    throw error;
  }
}
