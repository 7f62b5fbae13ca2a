export { applyUpgrade, checkSkew, scaleDown } from './apply-upgrade.js';
export { planTo, planToContract, planUpgrade, type UpgradePlan } from './plan-upgrade.js';
export { nextVersionAmong, readReleases, type Releases } from './upgrade-info.js';
