export { applyUpgrade, checkSkew, scaleDown, type UpgradeSteps } from './apply-upgrade.js';
export { planTo, planToContract, planUpgrade, type UpgradeItem, type UpgradePlan } from './plan-upgrade.js';
export { nextVersionAmong, readReleases, type Releases } from './upgrade-info.js';
