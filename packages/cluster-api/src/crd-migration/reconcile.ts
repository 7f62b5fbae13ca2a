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

export interface MigrationDependencies {
  /** Names of the CRDs whose objects this controller migrates. */
  readonly definitions: ReadonlySet<string>;
  readonly phases: ReadonlySet<MigrationPhase>;
  /** Objects that were migrated already, by CRD and generation, so that a retry does not start over. */
  readonly migrated: Map<string, { readonly generation: number; readonly keys: Set<string> }>;
}

type ObservedDefinition = Frozen<CustomResourceDefinition>;

/** Migrates stored objects to the current storage version, once for each generation of their CRD. */
export async function migrateDefinition(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: MigrationDependencies,
): Promise<Outcome> {
  const { read, sources, signal } = context;
  if (!dependencies.definitions.has(key.name)) return done();
  const cached = sources.sourceFor(customResourceDefinitions).get(key);
  if (cached === undefined || isObserved(cached)) return done();
  // Read from the API server: dropping a stored version that is still in use would lose its objects.
  const definition = await read.get(customResourceDefinitions, key, { signal });
  const storage = storageVersionOf(definition);
  const needsMigration = dependencies.phases.has('StorageVersionMigration') && !isMigrated(definition, storage.name);
  const needsCleanup = dependencies.phases.has('CleanupManagedFields');
  try {
    const resource = resourceAt(definition, storage.name);
    const objects = needsMigration || needsCleanup ? await listAll(context, resource) : [];
    if (needsMigration) await migrate(context, dependencies, definition, storage, objects);
    if (needsCleanup) await clean(context, definition, storage.name, objects);
    await noteGeneration(context, definition, objects.length);
    dependencies.migrated.delete(key.name);
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
  dependencies: MigrationDependencies,
  definition: ObservedDefinition,
  storage: DefinitionVersion,
  objects: readonly Frozen<KubeObject>[],
): Promise<void> {
  const { name = '', generation = 0, resourceVersion = '' } = definition.metadata;
  const known = dependencies.migrated.get(name);
  const migrated = known?.generation === generation ? known.keys : new Set<string>();
  dependencies.migrated.set(name, { generation, keys: migrated });
  // Write through the status subresource if there is one: validation of the spec may be stricter now than when the object was
  // created.
  const viaStatus = storage.subresources?.status !== undefined;
  await rewriteObjects(context, resourceAt(definition, storage.name), objects, { viaStatus, migrated });
  const patch: JsonObject = { metadata: { resourceVersion }, status: { storedVersions: [storage.name] } };
  const key = { namespace: '', name };
  await context.change({
    verb: 'patch',
    resource: customResourceDefinitions,
    key,
    body: { type: 'merge', patch },
    subresource: 'status',
    reason: 'StorageVersionMigration',
    message: `Set status.storedVersions of CustomResourceDefinition ${name} to ${storage.name}`,
  });
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

async function noteGeneration(
  context: ReconcileContext,
  { metadata }: ObservedDefinition,
  objects: number,
): Promise<void> {
  const { name = '', generation = 0 } = metadata;
  const patch: JsonObject = {
    metadata: { annotations: { [annotations.crdMigrationObservedGeneration]: String(generation) } },
  };
  await context.change({
    verb: 'patch',
    resource: customResourceDefinitions,
    key: { namespace: '', name },
    body: { type: 'merge', patch },
    reason: 'MigrationCompleted',
    message: `Checked ${objects} stored objects of CustomResourceDefinition ${name} at generation ${generation}`,
  });
}
