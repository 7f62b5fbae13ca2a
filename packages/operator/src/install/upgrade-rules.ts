import { checkSkew, compatibleContracts, currentContract, type InstalledProvider } from '@slipway/clusterctl';
import { conditionTypes, type FrozenProvider, nameOf, upgradeReasons } from '../api/index.js';
import { PhaseError } from '../phase-error.js';

/** A provider that is there beside the one to be upgraded. */
export interface OtherProvider {
  /** For messages. */
  readonly name: string;
  readonly isCore: boolean;
  /** Undefined when nobody can tell. */
  readonly contract: string | undefined;
}

/** Whether the cluster would still work with a provider at its wanted version. Throws what speaks against it. */
export function checkUpgrade(provider: FrozenProvider, contract: string, others: readonly OtherProvider[]): void {
  const installed = installedOf(provider);
  checkSkew({ provider: installed, nextVersion: provider.spec?.version ?? '' });
  if (provider.kind === 'CoreProvider') checkCore(provider, contract, others);
  else checkAgainstCore(provider, contract, others);
}

export function installedOf({ kind, metadata, status }: FrozenProvider): InstalledProvider {
  const { name = '', namespace = '' } = metadata;
  return { name, type: kind, namespace, version: status?.installedVersion ?? '' };
}

function checkCore(provider: FrozenProvider, contract: string, others: readonly OtherProvider[]): void {
  if (contract !== currentContract)
    throw refused(
      `the core can only go to a version of contract ${currentContract}; ${provider.spec?.version ?? ''} has ${contract}`,
    );
  const compatible = compatibleContracts(contract);
  for (const other of others) {
    if (other.contract === undefined)
      throw refused(
        `config map not found: nothing tells which contract ${other.name} fulfils`,
        'provide a ConfigMap with its metadata, or install it by an object of the operator',
      );
    if (!compatible.includes(other.contract))
      throw refused(
        `${other.name} implements the ${other.contract} contract, and ${nameOf(provider)} would support ${compatible.join(', ')}`,
        `upgrade ${other.name} first`,
      );
  }
}

function checkAgainstCore(provider: FrozenProvider, contract: string, others: readonly OtherProvider[]): void {
  const core = others.find(({ isCore }) => isCore);
  if (core?.contract === undefined)
    throw refused('there must be one CoreProvider, and it must be installed', 'create or repair it');
  const compatible = compatibleContracts(core.contract);
  if (compatible.includes(contract)) return;
  throw refused(
    `${provider.spec?.version ?? ''} of ${nameOf(provider)} implements the ${contract} contract, and the core supports ${compatible.join(', ')}`,
    'upgrade the CoreProvider first',
  );
}

/** Others may be upgraded meanwhile, and then it works: it is tried again. */
function refused(message: string, remedy?: string): PhaseError {
  return new PhaseError(conditionTypes.providerUpgraded, upgradeReasons.failed, message, {
    retry: 'later',
    ...(remedy !== undefined && { remedy }),
  });
}
