export { startDisruptionBudgets } from './disruption-budgets.js';
