import { annotations } from '@slipway/cluster-api';
import { formatTime, type Frozen, type JsonObject, type KubeObject } from '@slipway/kube';
import {
  type Controller,
  createController,
  done,
  keyOf,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  type Resource,
  wait,
  watch,
} from '@slipway/runtime';
import { infrastructureGroup, namespaces } from '../openshift/names.js';
import { type MigrationStep, planMigration } from './state/migration-plan.js';
import { capiSide, type MigratedKind, migrationState } from './state/machine-objects.js';

const pauseMs = 1_000;

/** Hands the decision about machines from one API to the other, when the object says so. */
export function createMigrationController(kind: MigratedKind): Controller {
  const toTwin = ({ metadata }: Frozen<KubeObject>): ObjectKey[] =>
    metadata.namespace === namespaces.clusterApi
      ? [{ namespace: namespaces.machineApi, name: metadata.name ?? '' }]
      : [];
  return createController({
    name: `${kind.kind.toLowerCase()}migration`,
    for: kind.mapi as Resource,
    filter: ({ object }) => object.metadata.namespace === namespaces.machineApi,
    watches: [watch(kind.capi as Resource, { map: toTwin })],
    reconcile: (key, context) => reconcile(kind, key, context, toTwin),
  });
}

async function reconcile(
  kind: MigratedKind,
  key: ObjectKey,
  context: ReconcileContext,
  toTwin: (object: Frozen<KubeObject>) => ObjectKey[],
): Promise<Outcome> {
  const { sources } = context;
  const mapi = sources.sourceFor(kind.mapi as Resource).get(key);
  if (mapi === undefined) return done();
  const twinKey = { namespace: namespaces.clusterApi, name: key.name };
  const capi = sources.sourceFor(kind.capi as Resource).get(twinKey);
  const infra = kind.kind === 'Machine' ? await infraMachine(capi, context, toTwin) : undefined;
  const targets = kind.kind === 'Machine' ? [capi, infra?.object] : [capi];
  const step = planMigration(migrationState(mapi as never, capiSide(targets)));
  return act(step, { kind, mapi, targets: [{ resource: kind.capi as Resource, object: capi }, infra] }, context);
}

interface Target {
  readonly resource: Resource;
  readonly object: Frozen<KubeObject> | undefined;
}

async function infraMachine(
  capi: Frozen<KubeObject> | undefined,
  context: ReconcileContext,
  map: (object: Frozen<KubeObject>) => ObjectKey[],
): Promise<Target | undefined> {
  const reference = (capi?.['spec'] as { infrastructureRef?: { kind: string; name: string } } | undefined)
    ?.infrastructureRef;
  if (reference === undefined) return undefined;
  const resource = await context.client.resourceFor({ group: infrastructureGroup, kind: reference.kind });
  if (resource === undefined) return undefined;
  const source = await context.follow({ resource, map });
  return { resource, object: source.get({ namespace: namespaces.clusterApi, name: reference.name }) };
}

interface Migration {
  readonly kind: MigratedKind;
  readonly mapi: Frozen<KubeObject>;
  readonly targets: readonly (Target | undefined)[];
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
          conditions: withUnknown(migration.mapi, context.clock.now()),
        },
        context,
      );
      return done();
  }
}

async function writeStatus(
  { kind, mapi }: Migration,
  status: JsonObject,
  { client, signal }: ReconcileContext,
): Promise<void> {
  // With its version: a wish that changed meanwhile is looked at first.
  const patch = { metadata: { resourceVersion: mapi.metadata.resourceVersion ?? '' }, status };
  await client.patch(kind.mapi as Resource, keyOf(mapi), { type: 'merge', patch }, { subresource: 'status', signal });
}

async function annotate(
  { targets }: Migration,
  value: string | null,
  { client, signal }: ReconcileContext,
): Promise<void> {
  const patch = { metadata: { annotations: { [annotations.paused]: value } } };
  for (const target of targets)
    if (target?.object !== undefined)
      await client.patch(target.resource, keyOf(target.object), { type: 'merge', patch }, { signal });
}

/** What was in step is so no longer: another side is the measure now. */
function withUnknown(mapi: Frozen<KubeObject>, nowMs: number): JsonObject[] {
  const conditions = ((mapi['status'] as { conditions?: readonly JsonObject[] } | undefined)?.conditions ?? []).filter(
    ({ type }) => type !== 'Synchronized',
  );
  const synchronized = {
    type: 'Synchronized',
    status: 'Unknown',
    severity: 'Info',
    reason: 'AuthoritativeAPIChanged',
    message: 'another API decides now',
    lastTransitionTime: formatTime(nowMs),
  };
  return [...conditions, synchronized];
}
