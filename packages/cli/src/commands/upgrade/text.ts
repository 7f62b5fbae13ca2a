import { currentContract, labelOf, type UpgradePlan } from '@slipway/clusterctl';
import { columnsText } from '../../output/index.js';

/** Formats plans as clusterctl does. */
export function plansText(plans: readonly UpgradePlan[]): string {
  if (plans.length === 0)
    return 'There are no providers in the cluster. Please use slipway init to initialize a Cluster API management cluster.\n';
  return plans.map(planText).join('');
}

function planText({ contract, items }: UpgradePlan): string {
  const rows = items.map(({ provider, nextVersion }) => [
    labelOf(provider),
    provider.namespace,
    provider.type,
    provider.version,
    nextVersion ?? 'Already up to date',
  ]);
  const table = columnsText(['NAME', 'NAMESPACE', 'TYPE', 'CURRENT VERSION', 'NEXT VERSION'], rows, 3).join('\n');
  return `
Latest release available for the ${contract} Cluster API contract version:

${table}

${nextStep(
  contract,
  items.some(({ nextVersion }) => nextVersion !== undefined),
)}
`;
}

function nextStep(contract: string, isAvailable: boolean): string {
  if (!isAvailable) return 'You are already up to date!\n';
  if (contract !== currentContract)
    return `The current version of slipway could not upgrade to ${contract} contract (only ${currentContract} supported).\n`;
  return `You can now apply the upgrade by executing the following command:

slipway upgrade apply --contract ${contract}
`;
}
