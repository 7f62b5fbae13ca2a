export { startRoleAggregation } from './role-aggregation.js';
