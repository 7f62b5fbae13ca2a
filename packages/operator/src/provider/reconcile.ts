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
import type { ControllerDependencies } from './dependencies.js';
import { ProviderScope } from './provider-scope.js';
import { runPhases } from './phases.js';

/** Installs, upgrades or deletes a provider. */
export async function reconcileProvider(
  resource: Resource<ProviderObject>,
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: ControllerDependencies,
): Promise<Outcome> {
  const { sources, clock, events } = context;
  const provider = sources.sourceFor(resource).get(key);
  if (provider === undefined) return done();
  if (isDeleting(provider)) return reconcileDelete(resource, provider, context, dependencies);
  const { changed } = await ensureFinalizer(context, resource, provider, finalizer);
  // The update event of the finalizer triggers the next reconcile.
  if (changed) return done();
  const scope = new ProviderScope({ resource, provider, context, dependencies });
  const error = await failureOf(scope);
  if (error === undefined) scope.report.complete();
  else scope.report.failed(error, scope.secretValues);
  scope.report.recordEvents(provider, events);
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
  // Not retried: the watch of the CoreProvider triggers the next reconcile.
  if (error.reason === preflightReasons.waitingForCore) return wait({ reason: error.reason, message: error.message });
  throw error;
}

/**
 * Timeout of the phases. Longer than that of other reconciles: they include a download, a scale-down and several hundred applied
 * objects.
 */
export const phasesTimeoutMs = 240_000;

async function failureOf(scope: ProviderScope): Promise<PhaseError | undefined> {
  try {
    if (!(await scope.within(phasesTimeoutMs, () => runPhases(scope)))) return undefined;
  } catch (error) {
    if (error instanceof PhaseError) return error;
    throw error;
  }
  return installError(
    installReasons.timedOut,
    `${scope.lastPhase} was not completed within ${phasesTimeoutMs / 1_000} s`,
    {
      retry: 'later',
      remedy: 'retrying; check whether the API server or the source of the manifests is slow',
    },
  );
}
