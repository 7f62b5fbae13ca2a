import {
  type ConditionTarget,
  done,
  edit,
  hasFinalizer,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  type Resource,
  setCondition,
  wait,
} from '@slipway/runtime';
import {
  conditionTypes,
  finalizer,
  type FrozenProvider,
  installReasons,
  nameOf,
  type ProviderObject,
} from '../api/index.js';
import { markDeleted } from '../embedded/publish-embedded.js';
import { embeddedFor } from './run-embedded.js';
import { deleteComponents } from '../install/delete-components.js';
import { leaveInventory } from '../install/enter-inventory.js';
import { installedOf } from '../install/upgrade-rules.js';
import { inPhase, installError, PhaseError } from '../phase-error.js';
import type { OperatorDependencies } from './dependencies.js';
import { allProviders, isSameObject, providersOf } from '../api/list-providers.js';

/** Deletes the components of a provider except its CRDs, because deleting a CRD deletes the user's objects. */
export async function reconcileDelete(
  resource: Resource<ProviderObject>,
  provider: FrozenProvider,
  context: ReconcileContext,
  dependencies: OperatorDependencies,
): Promise<Outcome> {
  if (!hasFinalizer(provider, finalizer)) return done();
  try {
    checkUnneeded(provider, context);
    await remove(provider, context, dependencies);
  } catch (error) {
    if (!(error instanceof PhaseError)) throw error;
    await report(resource, provider, error, context);
    // The deletion of the last dependent provider triggers the next reconcile.
    if (error.reason === installReasons.stillNeeded) return wait({ reason: error.reason, message: error.message });
    throw error;
  }
  await releaseFinalizer(context, resource, provider, finalizer);
  return done();
}

/** Throws if other providers still need the core: without it, they cannot remove their finalizers from the user's objects. */
function checkUnneeded(provider: FrozenProvider, { sources }: ReconcileContext): void {
  if (provider.kind !== 'CoreProvider' || (provider.status?.installedVersion ?? '') === '') return;
  const others = allProviders(sources).filter(
    (each) =>
      each.kind !== 'CoreProvider' && !isSameObject(each, provider) && (each.status?.installedVersion ?? '') !== '',
  );
  if (others.length === 0) return;
  throw installError(installReasons.stillNeeded, `${others.map(nameOf).join(', ')} require the CoreProvider`, {
    retry: 'onChange',
    remedy: 'delete them first',
  });
}

async function remove(
  provider: FrozenProvider,
  context: ReconcileContext,
  dependencies: OperatorDependencies,
): Promise<void> {
  const installed = installedOf(provider);
  const { signal, sources } = context;
  const cause = { reason: 'ProviderDeleted', message: `${nameOf(provider)} is being deleted` };
  await inPhase(conditionTypes.providerInstalled, installReasons.deletion, async () => {
    const own = embeddedFor(provider, dependencies.embedded);
    const hasNamesake = providersOf(sources, provider.kind).some(
      (each) => each.metadata.name === provider.metadata.name && !isSameObject(each, provider),
    );
    if (own === undefined)
      await deleteComponents(context, installed, { signal, ...cause }, { clusterWide: !hasNamesake });
    else {
      dependencies.embedded?.setRunning(own, false);
      await markDeleted(context, installed.namespace, true);
    }
    await leaveInventory(context, installed);
  });
}

async function report(
  resource: Resource<ProviderObject>,
  provider: FrozenProvider,
  { condition, reason, message }: PhaseError,
  context: ReconcileContext,
): Promise<void> {
  context.events.record(provider, { type: 'Warning', reason, message });
  const after = edit(provider, (draft) =>
    setCondition(draft as ConditionTarget, { type: condition, status: 'False', reason, message }, context.clock.now()),
  );
  const ownedConditions = [condition];
  await context.change({ verb: 'status', resource, before: provider, after, ownedConditions, reason, message });
}
