import { annotations } from '@slipway/cluster-api';
import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import {
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

/** Hands the decision about machines from one API to the other, when the object says so. */
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
  return act(step, { kind, mapi, targets }, context);
}

/** An object of Cluster API that has to pause, or whose definition or self is missing. */
interface Target {
  readonly resource?: Resource;
  readonly object: Frozen<KubeObject> | undefined;
}

/** Of a machine the Machine and the infra machine: the provider would go on with an instance whose Machine alone pauses. */
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
  groupKind: Parameters<ReconcileContext['client']['resourceFor']>[0],
  name: string,
): Promise<Target> {
  const resource = await context.client.resourceFor(groupKind);
  if (resource === undefined) return { object: undefined };
  const source: Source = await context.follow({ resource, map: mapiKeyOf });
  return { resource, object: source.get({ namespace: namespaces.clusterApi, name }) };
}

interface Migration {
  readonly kind: MigratedKind;
  readonly mapi: Frozen<KubeObject>;
  readonly targets: readonly Target[];
}

async function act(step: MigrationStep, migration: Migration, context: ReconcileContext): Promise<Outcome> {
  switch (step.type) {
    case 'done':
      return done();
    case 'wait':
      return wait(step);
    case 'initialize':
      await writeStatus(migration, { authoritativeAPI: step.authority }, context);
      return done();
    case 'begin':
      await writeStatus(migration, { authoritativeAPI: 'Migrating', synchronizedAPI: step.source }, context);
      return done();
    case 'pause':
    case 'unpause':
      await annotate(migration, step.type === 'pause' ? '' : null, context);
      // The provider may not tell when it has seen it.
      return wait({ ms: pauseMs, reason: 'WaitingForPause', message: 'Cluster API is told' });
    case 'finish':
      // In one write: the generation may only fall in the one that ends the migration.
      await writeStatus(
        migration,
        {
          authoritativeAPI: step.authority,
          synchronizedGeneration: 0,
          conditions: withSynchronized(migration.mapi, authorityChanged, context.clock.now()),
        },
        context,
      );
      return done();
  }
}

/** What was in step is so no longer: another side is the measure now. */
const authorityChanged = {
  status: 'Unknown',
  reason: 'AuthoritativeAPIChanged',
  message: 'another API decides now',
} as const;

async function writeStatus(
  { kind, mapi }: Migration,
  fields: JsonObject,
  { client, signal }: ReconcileContext,
): Promise<void> {
  const { metadata } = mapi;
  // With its version: a wish that changed meanwhile is looked at first.
  const patch = { metadata: { resourceVersion: metadata.resourceVersion ?? '' }, status: fields };
  await client.patch(
    kind.mapi as Resource,
    keyOf(mapi),
    { type: 'merge', patch },
    {
      subresource: 'status',
      fieldManager: `${kind.kind}MigrationController-AuthoritativeAPI`,
      signal,
    },
  );
}

async function annotate(
  { targets }: Migration,
  value: string | null,
  { client, signal }: ReconcileContext,
): Promise<void> {
  const patch = { metadata: { annotations: { [annotations.paused]: value } } };
  for (const { resource, object } of targets)
    if (resource !== undefined && object !== undefined)
      await client.patch(resource, keyOf(object), { type: 'merge', patch }, { signal });
}
