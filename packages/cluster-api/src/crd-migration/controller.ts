import type { CustomResourceDefinition, Kind } from '@slipway/kube';
import {
  type Controller,
  type ControllerDescriptor,
  createController,
  customResourceDefinitions,
  wordsSetting,
  type ControllerContext,
} from '@slipway/runtime';
import { type MigrationPhase, migrateDefinition, migrationPhases, type MigrationDependencies } from './reconcile.js';

export interface CrdMigratorOptions {
  /** Name of the controller in logs and flags. */
  readonly name: string;
  /** The kinds whose objects are migrated. */
  readonly kinds: readonly Pick<Kind, 'plural' | 'group'>[];
}

export const skipCrdMigrationPhases = wordsSetting(
  { flag: 'skip-crd-migration-phases', description: 'Phases of the storage version migration to skip', default: '' },
  ['All', ...migrationPhases],
);

/** Timeout of one reconcile. Migrating thousands of objects takes long, and no other work waits for it. */
const timeoutMs = 600_000;

/** Returns a controller that migrates the stored objects of some kinds to the storage version of their CRDs. */
export function crdMigrator(options: CrdMigratorOptions): ControllerDescriptor {
  const { name } = options;
  // One reconcile at a time, to limit the load.
  return { name, concurrencyDefault: 1, create: (context) => createCrdMigrator(options, context) };
}

function createCrdMigrator({ name, kinds }: CrdMigratorOptions, context: ControllerContext): Controller {
  const { concurrency, settings } = context;
  const skipped = settings.get(skipCrdMigrationPhases);
  const isSkipped = (phase: MigrationPhase): boolean => skipped.includes('All') || skipped.includes(phase);
  const dependencies: MigrationDependencies = {
    definitions: new Set(kinds.map(({ plural, group }) => `${plural}.${group}`)),
    phases: new Set(migrationPhases.filter((phase) => !isSkipped(phase))),
    migrated: new Map(),
  };
  return createController<CustomResourceDefinition>({
    name,
    for: customResourceDefinitions,
    filter: ({ object }) => dependencies.phases.size > 0 && dependencies.definitions.has(object.metadata.name ?? ''),
    concurrency,
    timeoutMs,
    reconcile: (key, context) => migrateDefinition(key, context, dependencies),
  });
}
