export { generatePassword } from './generate-password.js';
export { listGrants } from './list-grants.js';
export { type AccountWishes, applyAccount, findPlaces, Places } from './manage-accounts.js';
export { type AccountPlan, planAccount } from './plan-roles.js';
