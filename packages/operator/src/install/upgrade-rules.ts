import { checkSkew, compatibleContracts, currentContract, type InstalledProvider } from '@slipway/clusterctl';
import { conditionTypes, type FrozenProvider, nameOf, upgradeReasons } from '../api/index.js';
import { PhaseError } from '../phase-error.js';

/** An installed provider besides the one to upgrade. */
export interface OtherProvider {
  /** Name for messages. */
  readonly name: string;
  readonly isCore: boolean;
  /** Contract version that the provider implements. Undefined if unknown. */
  readonly contract: string | undefined;
}

/** Throws if the requested version is not compatible with the other providers. */
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
      `the core provider can only be upgraded to a version with contract ${currentContract}, but ${provider.spec?.version ?? ''} implements ${contract}`,
    );
  const compatible = compatibleContracts(contract);
  for (const other of others) {
    if (other.contract === undefined)
      throw refused(
        `config map not found: cannot determine which contract ${other.name} implements`,
        'create a ConfigMap with its metadata, or install it with a provider object of the operator',
      );
    if (!compatible.includes(other.contract))
      throw refused(
        `${other.name} implements the ${other.contract} contract, but ${nameOf(provider)} would only support ${compatible.join(', ')}`,
        `upgrade ${other.name} first`,
      );
  }
}

function checkAgainstCore(provider: FrozenProvider, contract: string, others: readonly OtherProvider[]): void {
  const core = others.find(({ isCore }) => isCore);
  if (core?.contract === undefined)
    throw refused(
      'one CoreProvider is required, and it must be installed',
      'create a CoreProvider, or fix the problem that its conditions report',
    );
  const compatible = compatibleContracts(core.contract);
  if (compatible.includes(contract)) return;
  throw refused(
    `${provider.spec?.version ?? ''} of ${nameOf(provider)} implements the ${contract} contract, but the core provider only supports ${compatible.join(', ')}`,
    'upgrade the CoreProvider first',
  );
}

/** Returns an error that is retried, because other providers may be upgraded in the meantime. */
function refused(message: string, remedy?: string): PhaseError {
  return new PhaseError(conditionTypes.providerUpgraded, upgradeReasons.failed, message, {
    retry: 'later',
    ...(remedy !== undefined && { remedy }),
  });
}
