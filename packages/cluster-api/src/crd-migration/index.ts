export { crdMigrator, type CrdMigratorOptions } from './controller.js';
export { type MigrationPhase, migrationPhases } from './reconcile.js';
