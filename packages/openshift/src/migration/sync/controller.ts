import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type Controller,
  type ControllerContext,
  createController,
  done,
  isDeleting,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  type Resource,
  type Source,
  wait,
  watch,
} from '@slipway/runtime';
import { mapiMachineSets } from '../../api/index.js';
import { namespaces } from '../../names.js';
import { recordOf } from '../conversion/conversion.js';
import { mapiKeyOf, observeMigration, scopeWatches } from '../migration-scope.js';
import type { MigratedKind } from '../state/machine-objects.js';
import type { Authority } from '../state/migration-plan.js';
import { planSync } from '../state/sync-plan.js';
import { deleteBoth, untie } from './delete-sides.js';
import { observe, type Observed, ownerSetIndex } from './observe.js';
import { copyToCapi } from './to-capi.js';
import { copyToMapi } from './to-mapi.js';

/** Keeps a mirror of each machine in the non-authoritative API. */
export function createSyncController(kind: MigratedKind, version: string, { sources }: ControllerContext): Controller {
  let twins: Source | undefined;
  // Creating a set in Machine API also enqueues the Cluster API machines of its counterpart.
  const ofSet = (set: Frozen<KubeObject>): readonly ObjectKey[] => [
    ...mapiKeyOf(set),
    ...(twins?.byIndex(ownerSetIndex, set.metadata.name ?? '') ?? []).flatMap(mapiKeyOf),
  ];
  const sets = watch(mapiMachineSets, { filter: ({ type }) => type === 'added', map: ofSet });
  return createController({
    name: `${kind.kind.toLowerCase()}sync`,
    for: kind.mapi as Resource,
    filter: ({ object }) => object.metadata.namespace === namespaces.machineApi,
    watches: [...scopeWatches(sources, kind.mapi), ...(kind.kind === 'Machine' ? [sets] : [])],
    async reconcile(key, context) {
      const scope = observeMigration(context.sources, version);
      if (scope === undefined) return done();
      const observed = await observe(kind, scope, key.name, context);
      if (observed === undefined)
        return wait({ reason: 'WaitingForDefinition', message: 'Waiting for the provider to be installed' });
      twins = observed.capiSource;
      return act({ kind, conversion: scope.conversion, observed, context });
    },
  });
}

type Sync = Parameters<typeof copyToMapi>[0] & { readonly context: ReconcileContext };

function act(sync: Sync): Promise<Outcome> | Outcome {
  const { mapi, capi } = sync.observed;
  const step = planSync(stateOf(sync.kind, sync.observed));
  switch (step.type) {
    case 'nothing':
      return done();
    case 'toCapi':
      return mapi === undefined ? done() : copyToCapi(sync, mapi, step.isPaused);
    case 'toMapi':
      return capi === undefined ? done() : copyToMapi(sync, capi);
    case 'delete':
      return deleteBoth(sync, step.authority);
    case 'untie':
      return untie(sync);
  }
}

function stateOf({ kind }: MigratedKind, { mapi, capi, mapiSet }: Observed) {
  const { authoritativeAPI = '' } = recordOf(mapi?.['status']);
  return {
    kind,
    mapi: mapi && { authority: authoritativeAPI as Authority | 'Migrating' | '', isDeleting: isDeleting(mapi) },
    capi: capi && { isDeleting: isDeleting(capi) },
    ownerHasTwin: mapiSet !== undefined && !isDeleting(mapiSet),
  };
}
