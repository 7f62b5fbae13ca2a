export { createMachineMigration } from './migration-set.js';
