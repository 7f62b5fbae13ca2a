export { crdMigrator, type CrdMigratorOptions, skipCrdMigrationPhases } from './controller.js';
export { type MigrationPhase, migrationPhases } from './reconcile.js';
