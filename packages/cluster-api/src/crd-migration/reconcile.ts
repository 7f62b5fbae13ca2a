import { type CustomResourceDefinition, type Frozen, type JsonObject, type KubeObject } from '@slipway/kube';
import {
  customResourceDefinitions,
  done,
  FencedError,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  ReconcileError,
  type Resource,
} from '@slipway/runtime';
import { annotations } from '../api/index.js';
import { cleanManagedFields, listAll, rewriteObjects } from './migrate-objects.js';

export const migrationPhases = ['StorageVersionMigration', 'CleanupManagedFields'] as const;
export type MigrationPhase = (typeof migrationPhases)[number];

export interface MigrationWorld {
  /** Names of the definitions that are ours. */
  readonly definitions: ReadonlySet<string>;
  readonly phases: ReadonlySet<MigrationPhase>;
  /** What was rewritten already, by definition and generation, so that a failure does not begin from the start. */
  readonly migrated: Map<string, { readonly generation: number; readonly keys: Set<string> }>;
}

type ObservedDefinition = Frozen<CustomResourceDefinition>;

/** Brings stored objects up to the version that is stored now, once for each generation of their definition. */
export async function migrateDefinition(
  key: ObjectKey,
  context: ReconcileContext,
  world: MigrationWorld,
): Promise<Outcome> {
  const { client, sources, signal, logger } = context;
  if (!world.definitions.has(key.name)) return done();
  const cached = sources.sourceFor(customResourceDefinitions).get(key);
  if (cached === undefined || isObserved(cached)) return done();
  // Which versions are stored must be known as it is now: forgetting one that is still used would lose its objects.
  const definition = await client.get(customResourceDefinitions, key, { signal });
  const storage = storageVersionOf(definition);
  const needsMigration = world.phases.has('StorageVersionMigration') && !isMigrated(definition, storage.name);
  const needsCleanup = world.phases.has('CleanupManagedFields');
  try {
    const resource = resourceAt(definition, storage.name);
    const objects = needsMigration || needsCleanup ? await listAll(context, resource) : [];
    if (objects.length > 0) logger.info({ kind: resource.kind, objects: objects.length }, 'Migrating stored objects');
    if (needsMigration) await migrate(context, world, definition, storage, objects);
    if (needsCleanup) await clean(context, definition, storage.name, objects);
    await noteGeneration(context, definition);
    world.migrated.delete(key.name);
    return done();
  } catch (cause) {
    if (cause instanceof FencedError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ReconcileError('MigrationFailed', `CustomResourceDefinition ${key.name}: ${why}`, {
      retry: 'later',
      cause,
    });
  }
}

function isObserved({ metadata }: ObservedDefinition): boolean {
  const observed = metadata.annotations?.[annotations.crdMigrationObservedGeneration];
  return observed !== undefined && observed === String(metadata.generation ?? 0);
}

type DefinitionVersion = ObservedDefinition['spec']['versions'][number];

function storageVersionOf({ metadata, spec }: ObservedDefinition): DefinitionVersion {
  const found = spec.versions.find(({ storage }) => storage === true);
  if (found !== undefined) return found;
  const message = `could not find storage version for CustomResourceDefinition ${metadata.name ?? ''}`;
  throw new ReconcileError('StorageVersionMissing', message, { retry: 'onChange' });
}

function isMigrated({ status }: ObservedDefinition, storage: string): boolean {
  const stored = status?.storedVersions ?? [];
  return stored.length === 1 && stored[0] === storage;
}

function resourceAt({ spec }: ObservedDefinition, version: string): Resource {
  const { kind, plural } = spec.names;
  return { group: spec.group, version, kind, plural, namespaced: spec.scope === 'Namespaced' };
}

async function migrate(
  context: ReconcileContext,
  world: MigrationWorld,
  definition: ObservedDefinition,
  storage: DefinitionVersion,
  objects: readonly Frozen<KubeObject>[],
): Promise<void> {
  const { client, signal } = context;
  const { name = '', generation = 0, resourceVersion = '' } = definition.metadata;
  const known = world.migrated.get(name);
  const migrated = known?.generation === generation ? known.keys : new Set<string>();
  world.migrated.set(name, { generation, keys: migrated });
  // The status where there is one: rules for the spec may be stricter today than when the object was made.
  const viaStatus = storage.subresources?.status !== undefined;
  await rewriteObjects(context, resourceAt(definition, storage.name), objects, { viaStatus, migrated });
  const patch: JsonObject = { metadata: { resourceVersion }, status: { storedVersions: [storage.name] } };
  const key = { namespace: '', name };
  await client.patch(customResourceDefinitions, key, { type: 'merge', patch }, { signal, subresource: 'status' });
}

async function clean(
  context: ReconcileContext,
  { spec, ...definition }: ObservedDefinition,
  storage: string,
  objects: readonly Frozen<KubeObject>[],
): Promise<void> {
  const served = spec.versions.filter((version) => version.served === true);
  await cleanManagedFields(context, resourceAt({ spec, ...definition }, storage), objects, {
    apiVersions: new Set(served.map(({ name }) => `${spec.group}/${name}`)),
    storage: `${spec.group}/${storage}`,
    nowMs: context.clock.now(),
  });
}

async function noteGeneration({ client, signal }: ReconcileContext, { metadata }: ObservedDefinition): Promise<void> {
  const { name = '', generation = 0 } = metadata;
  const patch: JsonObject = {
    metadata: { annotations: { [annotations.crdMigrationObservedGeneration]: String(generation) } },
  };
  await client.patch(customResourceDefinitions, { namespace: '', name }, { type: 'merge', patch }, { signal });
}
