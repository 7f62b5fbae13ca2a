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
  /** As logs and flags name it. */
  readonly name: string;
  /** The kinds whose objects are ours to rewrite. */
  readonly kinds: readonly Pick<Kind, 'plural' | 'group'>[];
}

export const skipCrdMigrationPhases = wordsSetting(
  { flag: 'skip-crd-migration-phases', description: 'what the migration of stored objects leaves out', default: '' },
  ['All', ...migrationPhases],
);

/** Thousands of objects take their time, and nothing waits for them. */
const timeoutMs = 600_000;

/** A controller that keeps the stored objects of a package in the version that its definitions store. */
export function crdMigrator(options: CrdMigratorOptions): ControllerDescriptor {
  const { name } = options;
  // One at a time: it is not to be felt.
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
