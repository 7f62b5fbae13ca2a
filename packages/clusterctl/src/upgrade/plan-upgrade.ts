import { parse } from 'semver';
import type { Client } from '@slipway/runtime';
import { ClusterctlError } from '../clusterctl-error.js';
import {
  checkContract,
  coreOf,
  findInstalled,
  type InstalledProvider,
  instanceName,
  listInstalled,
} from '../inventory/index.js';
import type { NamedProviders } from '../install/index.js';
import { compareProviderTypes, parseProviderReference, type ProviderType, providerTypes } from '../provider/index.js';
import { compatibleContracts, currentContract, type RepositoryDependencies, seriesOf } from '../repository/index.js';
import { contractsFrom, newestFor, readUpgradeInfo } from './upgrade-info.js';

export interface UpgradeItem {
  readonly provider: InstalledProvider;
  /** Absent if no newer version exists. */
  readonly nextVersion?: string;
}

/** The newest version of every provider for one contract version. */
export interface UpgradePlan {
  readonly contract: string;
  readonly items: readonly UpgradeItem[];
}

/** Returns one plan per contract version that the core provider can be upgraded to. Empty without providers. */
export async function planUpgrade(
  client: Client,
  dependencies: RepositoryDependencies,
): Promise<readonly UpgradePlan[]> {
  await checkContract(client, { contracts: ['v1beta1'] });
  const installed = await listInstalled(client);
  if (installed.length === 0) return [];
  const core = coreOf(installed);
  const info = await readUpgradeInfo(core, dependencies);
  const plans: UpgradePlan[] = [];
  for (const contract of contractsFrom(info, core.version)) {
    const plan = await planFor(contract, installed, dependencies);
    const isPartial = plan.items.some(({ nextVersion }) => nextVersion === undefined);
    // Providers with different contract versions do not work together.
    if (!isPartial || contract === info.contract) plans.push(plan);
  }
  return plans;
}

async function planFor(
  contract: string,
  installed: readonly InstalledProvider[],
  dependencies: RepositoryDependencies,
): Promise<UpgradePlan> {
  const items: UpgradeItem[] = [];
  for (const provider of [...installed].sort(inOrder)) {
    const nextVersion = newestFor(await readUpgradeInfo(provider, dependencies), compatibleContracts(contract));
    items.push({ provider, ...(nextVersion !== undefined && { nextVersion }) });
  }
  return { contract, items };
}

function inOrder(left: InstalledProvider, right: InstalledProvider): number {
  return compareProviderTypes(left.type, right.type) || (left.name < right.name ? -1 : 1);
}

/** Plans the upgrade of all providers to the newest version with the current contract. */
export async function planToContract(
  contract: string,
  client: Client,
  dependencies: RepositoryDependencies,
): Promise<UpgradePlan> {
  if (contract !== currentContract)
    throw new ClusterctlError(
      `current version of clusterctl could only upgrade to ${currentContract} contract, requested ${contract}`,
    );
  await checkContract(client, { contracts: ['v1beta1'] });
  const installed = await listInstalled(client);
  coreOf(installed);
  return planFor(contract, installed, dependencies);
}

/** Plans the upgrade of providers to given versions: `[namespace/]name:version`. */
export async function planTo(
  named: NamedProviders,
  client: Client,
  dependencies: RepositoryDependencies,
): Promise<UpgradePlan> {
  await checkContract(client, { contracts: ['v1beta1'] });
  const installed = await listInstalled(client);
  const core = coreOf(installed);
  const items = providerTypes.flatMap((type) => (named[type] ?? []).map((text) => itemOf(text, type, installed)));
  const target = items.find(({ provider }) => provider === core)?.nextVersion ?? core.version;
  const contract = await contractAt(core, target, dependencies);
  if (contract !== currentContract)
    throw new ClusterctlError(
      `current version of clusterctl could only upgrade the core provider to ${currentContract} contract version, requested ${contract}`,
    );
  const compatible = compatibleContracts(contract);
  for (const provider of installed) {
    const next = items.find((item) => item.provider === provider)?.nextVersion;
    const own = await contractAt(provider, next ?? provider.version, dependencies);
    if (!compatible.includes(own)) throw incompatible(provider, own, compatible, next !== undefined);
  }
  return { contract, items };
}

function incompatible(
  provider: InstalledProvider,
  contract: string,
  compatible: readonly string[],
  isUpgraded: boolean,
): ClusterctlError {
  const name = instanceName(provider);
  const supported = compatible.join(', ');
  return new ClusterctlError(
    isUpgraded
      ? `unable to perform upgrade: the target version for the provider ${name} implements the ${contract} contract version, while the core provider supports ${supported} contract versions`
      : `unable to perform upgrade: the provider ${name} implements the ${contract} contract version, while the core provider is getting updated to a version that supports ${supported} contract versions. Please include the ${name} provider in the upgrade`,
  );
}

async function contractAt(
  provider: InstalledProvider,
  version: string,
  dependencies: RepositoryDependencies,
): Promise<string> {
  if (parse(version) === null)
    throw new ClusterctlError(
      `failed to parse target version for the ${instanceName(provider)} provider: "${version}"`,
    );
  const series = seriesOf((await readUpgradeInfo(provider, dependencies)).metadata, version);
  if (series !== undefined) return series.contract;
  throw new ClusterctlError(
    `invalid target version: version ${version} for the provider ${instanceName(provider)} does not match any release series`,
  );
}

function itemOf(text: string, type: ProviderType, installed: readonly InstalledProvider[]): Required<UpgradeItem> {
  const shape = 'Provider name should be in the form namespace/provider:version or provider:version';
  const slash = text.indexOf('/');
  const { name, version } = parseProviderReference(text.slice(slash + 1));
  if (version === undefined || slash === 0) throw new ClusterctlError(`invalid provider name "${text}". ${shape}`);
  const provider =
    slash < 0
      ? findInstalled(installed, { name, type })
      : installed.find((each) => each.namespace === text.slice(0, slash) && each.name === name && each.type === type);
  if (provider !== undefined) return { provider, nextVersion: version };
  throw new ClusterctlError(`unable to perform upgrade: the provider ${text} is not part of the management cluster`, {
    remedy: `installed providers: ${installed.map(instanceName).join(', ') || 'none'}`,
  });
}
