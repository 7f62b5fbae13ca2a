import type { CustomResourceDefinition, Kind } from '@slipway/kube';
import {
  type Controller,
  type ControllerDescriptor,
  createController,
  customResourceDefinitions,
} from '@slipway/runtime';
import { type MigrationPhase, migrateDefinition, migrationPhases, type MigrationWorld } from './reconcile.js';

export interface CrdMigratorOptions {
  /** As logs and flags name it. */
  readonly name: string;
  /** The kinds whose objects are ours to rewrite. */
  readonly kinds: readonly Pick<Kind, 'plural' | 'group'>[];
  /** `--skip-crd-migration-phases`. */
  readonly skipPhases?: readonly MigrationPhase[];
}

/** Thousands of objects take their time, and nothing waits for them. */
const timeoutMs = 600_000;

/** A controller that keeps the stored objects of a package in the version that its definitions store. */
export function crdMigrator(options: CrdMigratorOptions): ControllerDescriptor {
  const { name } = options;
  // One at a time: it is not to be felt.
  return { name, concurrencyDefault: 1, create: ({ concurrency }) => createCrdMigrator(options, concurrency) };
}

function createCrdMigrator({ name, kinds, skipPhases = [] }: CrdMigratorOptions, concurrency: number): Controller {
  const world: MigrationWorld = {
    definitions: new Set(kinds.map(({ plural, group }) => `${plural}.${group}`)),
    phases: new Set(migrationPhases.filter((phase) => !skipPhases.includes(phase))),
    migrated: new Map(),
  };
  return createController<CustomResourceDefinition>({
    name,
    for: customResourceDefinitions,
    filter: ({ object }) => world.phases.size > 0 && world.definitions.has(object.metadata.name ?? ''),
    concurrency,
    timeoutMs,
    reconcile: (key, context) => migrateDefinition(key, context, world),
  });
}
