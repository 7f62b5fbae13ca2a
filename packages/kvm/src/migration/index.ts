export { applyMigration, legacyConfigs } from './apply-migration.js';
export { AuthorityError, authoritySecrets } from './cluster-authorities.js';
export { exportTemplate } from './export-plan.js';
export type { LegacyConfig } from './legacy-config.js';
export { type MigrationPlan, planMigration } from './migration-plan.js';
