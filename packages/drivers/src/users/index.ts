export { generatePassword } from './generate-password.js';
export { type GivenRole, listGrants } from './list-grants.js';
export { type AccountWishes, applyAccount, findPlaces, Places } from './manage-accounts.js';
export { type AccountPlan, type AccountPurpose, planAccount } from './plan-roles.js';
