import { annotations } from '@slipway/cluster-api';
import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import {
  type Cause,
  type Change,
  type Controller,
  type ControllerContext,
  createController,
  done,
  keyOf,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  type Resource,
  type Source,
  wait,
} from '@slipway/runtime';
import { infrastructureGroup, namespaces } from '../names.js';
import { recordOf, textOf } from './conversion/conversion.js';
import { mapiKeyOf, observeMigration, scopeWatches } from './migration-scope.js';
import { type MigrationStep, planMigration } from './state/migration-plan.js';
import { capiSide, type MigratedKind, migrationState } from './state/machine-objects.js';
import { withSynchronized } from './sync/synchronized.js';

const pauseMs = 1_000;

/** Changes status.authoritativeAPI of machines when spec.authoritativeAPI changes. */
export function createMigrationController(
  kind: MigratedKind,
  version: string,
  { sources }: ControllerContext,
): Controller {
  return createController({
    name: `${kind.kind.toLowerCase()}migration`,
    for: kind.mapi as Resource,
    filter: ({ object }) => object.metadata.namespace === namespaces.machineApi,
    watches: scopeWatches(sources, kind.mapi),
    reconcile: (key, context) =>
      observeMigration(context.sources, version) === undefined
        ? Promise.resolve(done())
        : reconcile(kind, key, context),
  });
}

async function reconcile(kind: MigratedKind, key: ObjectKey, context: ReconcileContext): Promise<Outcome> {
  const mapi = context.sources.sourceFor(kind.mapi as Resource).get(key);
  if (mapi === undefined) return done();
  const targets = await targetsOf(kind, key.name, context);
  const step = planMigration(migrationState(mapi as never, capiSide(targets.map(({ object }) => object))));
  await context.changeAll(migrationChanges(step, { kind, mapi, targets }, context.clock.now()));
  return outcomeOf(step);
}

/** A Cluster API object to pause. The resource or the object may be missing. */
interface Target {
  readonly resource?: Resource;
  readonly object: Frozen<KubeObject> | undefined;
}

/** Returns the objects to pause: the Machine and the infrastructure machine, because the provider only checks the latter. */
async function targetsOf(kind: MigratedKind, name: string, context: ReconcileContext): Promise<readonly Target[]> {
  const { group, version } = kind.capi;
  const capi = await targetOf(context, { group, version, kind: kind.kind }, name);
  if (kind.kind === 'MachineSet') return [capi];
  const reference = recordOf(recordOf(capi.object?.['spec'])['infrastructureRef']);
  const infraKind = textOf(reference['kind']);
  if (infraKind === undefined) return [capi, { object: undefined }];
  const infra = { group: infrastructureGroup, kind: infraKind };
  return [capi, await targetOf(context, infra, textOf(reference['name']) ?? '')];
}

async function targetOf(
  context: ReconcileContext,
  groupKind: Parameters<ReconcileContext['read']['resourceFor']>[0],
  name: string,
): Promise<Target> {
  const resource = await context.read.resourceFor(groupKind);
  if (resource === undefined) return { object: undefined };
  const source: Source = await context.follow({ resource, map: mapiKeyOf });
  return { resource, object: source.get({ namespace: namespaces.clusterApi, name }) };
}

interface Migration {
  readonly kind: MigratedKind;
  readonly mapi: Frozen<KubeObject>;
  readonly targets: readonly Target[];
}

function outcomeOf(step: MigrationStep): Outcome {
  if (step.type === 'wait') return wait(step);
  // Polled, because a provider may not report that it is paused.
  if (step.type === 'pause' || step.type === 'unpause')
    return wait({ ms: pauseMs, reason: 'WaitingForPause', message: 'Waiting for Cluster API to pause' });
  return done();
}

function migrationChanges(step: MigrationStep, migration: Migration, nowMs: number): readonly Change[] {
  switch (step.type) {
    case 'done':
    case 'wait':
      return [];
    case 'initialize': {
      const message = `Set the authoritative API to ${step.authority}`;
      const fields = { authoritativeAPI: step.authority };
      return [statusChange(migration, fields, { reason: 'AuthorityInitialized', message })];
    }
    case 'begin': {
      const message = `Started the migration from ${step.source}`;
      const fields = { authoritativeAPI: 'Migrating', synchronizedAPI: step.source };
      return [statusChange(migration, fields, { reason: 'MigrationStarted', message })];
    }
    case 'pause':
    case 'unpause':
      return pauseChanges(migration, step.type === 'pause');
    case 'finish': {
      // All fields are written together, because the generation may only decrease in the write that ends the migration.
      const fields = {
        authoritativeAPI: step.authority,
        synchronizedGeneration: 0,
        conditions: withSynchronized(migration.mapi, authorityChanged, nowMs),
      };
      const message = `Finished the migration to ${step.authority}`;
      return [statusChange(migration, fields, { reason: 'MigrationFinished', message })];
    }
  }
}

/** Condition after the other API became authoritative: the two resources are not synchronized yet. */
const authorityChanged = {
  status: 'Unknown',
  reason: 'AuthoritativeAPIChanged',
  message: 'another API is authoritative now',
} as const;

function statusChange({ kind, mapi }: Migration, fields: JsonObject, cause: Cause): Change {
  // The patch has the resourceVersion, so that a concurrent change of the spec causes a conflict.
  const patch = { metadata: { resourceVersion: mapi.metadata.resourceVersion ?? '' }, status: fields };
  return {
    verb: 'patch',
    resource: kind.mapi as Resource,
    key: keyOf(mapi),
    body: { type: 'merge', patch },
    subresource: 'status',
    fieldManager: `${kind.kind}MigrationController-AuthoritativeAPI`,
    ...cause,
  };
}

function pauseChanges({ targets }: Migration, isPaused: boolean): readonly Change[] {
  const patch = { metadata: { annotations: { [annotations.paused]: isPaused ? '' : null } } };
  return targets.flatMap(({ resource, object }): Change[] => {
    if (resource === undefined || object === undefined) return [];
    const verb = isPaused ? 'Paused' : 'Unpaused';
    const message = `${verb} ${object.kind} ${object.metadata.name ?? ''} to migrate the machine`;
    const reason = isPaused ? 'PauseRequested' : 'UnpauseRequested';
    return [{ verb: 'patch', resource, key: keyOf(object), body: { type: 'merge', patch }, reason, message }];
  });
}
