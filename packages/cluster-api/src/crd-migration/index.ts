export { crdMigrator, skipCrdMigrationPhases } from './controller.js';
export { type MigrationPhase } from './reconcile.js';
