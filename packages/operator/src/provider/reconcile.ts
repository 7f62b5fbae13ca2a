import {
  done,
  ensureFinalizer,
  isDeleting,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  type Resource,
  wait,
} from '@slipway/runtime';
import { finalizer, installReasons, preflightReasons, type ProviderObject } from '../api/index.js';
import { installError, PhaseError } from '../phase-error.js';
import { reconcileDelete } from './delete-provider.js';
import type { ControllerWorld } from './operator-world.js';
import { ProviderScope } from './provider-scope.js';
import { runPhases } from './phases.js';

/** Installs a provider, keeps it as its object says, and takes it away when the object goes. */
export async function reconcileProvider(
  resource: Resource<ProviderObject>,
  key: ObjectKey,
  context: ReconcileContext,
  world: ControllerWorld,
): Promise<Outcome> {
  const { sources, clock, events } = context;
  const provider = sources.sourceFor(resource).get(key);
  if (provider === undefined) return done();
  if (isDeleting(provider)) return reconcileDelete(resource, provider, context, world);
  const { changed } = await ensureFinalizer(context, resource, provider, finalizer);
  // The event of this write brings us back.
  if (changed) return done();
  const scope = new ProviderScope({ resource, provider, context, world });
  const error = await failureOf(scope);
  if (error === undefined) scope.report.complete();
  else scope.report.failed(error, scope.secretValues);
  scope.report.tell(provider, events);
  const after = scope.report.onto(scope.provider, clock.now());
  await context.change({
    verb: 'patch',
    resource,
    before: scope.provider,
    after,
    ownedConditions: scope.report.types,
    reason: 'StatusUpdated',
    message: 'Updated status',
  });
  if (error === undefined) return done();
  // Waiting is neither an error nor a retry: the watch of the CoreProvider ends it.
  if (error.reason === preflightReasons.waitingForCore) return wait({ reason: error.reason, message: error.message });
  throw error;
}

/** A download, a scale-down and some hundred objects: longer than a look at one object takes elsewhere. */
export const phasesTimeoutMs = 240_000;

async function failureOf(scope: ProviderScope): Promise<PhaseError | undefined> {
  try {
    if (!(await scope.within(phasesTimeoutMs, () => runPhases(scope)))) return undefined;
  } catch (error) {
    if (error instanceof PhaseError) return error;
    throw error;
  }
  return installError(installReasons.timedOut, `${scope.lastPhase} was not done within ${phasesTimeoutMs / 1_000} s`, {
    retry: 'later',
    remedy: 'it is tried again; is the API server, or where the manifests come from, very slow?',
  });
}
