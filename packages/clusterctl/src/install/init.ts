import { ChangeExecutor, type Client } from '@slipway/runtime';
import { ClusterctlError } from '../clusterctl-error.js';
import { type ProviderComponents, readComponents } from '../components/index.js';
import { checkContract, ensureInventoryKind, type InstalledProvider, listInstalled } from '../inventory/index.js';
import {
  compareProviderTypes,
  labelOf,
  parseProviderReference,
  type ProviderType,
  providerTypes,
} from '../provider/index.js';
import { openRepository, type RepositoryDependencies } from '../repository/index.js';
import { applyComponents } from './apply-components.js';
import { validateInstall } from './validate-install.js';

/** Providers by type, in flag syntax: `name[:version]`, or `-` for none. */
export type NamedProviders = Readonly<Partial<Record<ProviderType, readonly string[]>>>;

export interface InitOptions {
  readonly providers: NamedProviders;
  readonly targetNamespace?: string;
  /** Whether to reject an installation that would break the management cluster. */
  readonly validate: boolean;
  /** Whether the variables of the manifests may be unset, because the manifests are only printed. */
  readonly raw?: boolean;
}

/** The plan of an installation. */
export interface InitPlan {
  readonly queue: readonly ProviderComponents[];
  /** Whether no provider was installed before. */
  readonly isFirst: boolean;
}

const firstProviders: NamedProviders = {
  CoreProvider: ['cluster-api'],
  BootstrapProvider: ['kubeadm'],
  ControlPlaneProvider: ['kubeadm'],
};

/**
 * Plans an installation. Reads and validates, and writes only the inventory CRD. Without a client, plans for an empty cluster.
 */
export async function planInit(
  options: InitOptions,
  client: Client | undefined,
  dependencies: RepositoryDependencies,
): Promise<InitPlan> {
  if (client !== undefined) {
    await checkContract(client, { missing: true });
    if (options.raw !== true) await ensureInventoryKind(client, dependencies);
  }
  const installed = client === undefined ? [] : await listInstalled(client);
  const isFirst = installed.every(({ type }) => type !== 'CoreProvider');
  const queue: ProviderComponents[] = [];
  for (const type of providerTypes) {
    for (const reference of namesFor(type, options.providers, isFirst)) {
      const components = await componentsFor(type, reference, options, dependencies);
      if (!isInstalled(components.provider, installed)) queue.push(components);
    }
  }
  queue.sort((left, right) => compareProviderTypes(left.provider.type, right.provider.type));
  if (options.validate) await validateInstall(queue, installed, dependencies);
  return { queue, isFirst };
}

function namesFor(type: ProviderType, named: NamedProviders, isFirst: boolean): readonly string[] {
  const given = named[type] ?? [];
  const names = given.length === 0 && isFirst ? (firstProviders[type] ?? []) : given;
  if (type === 'CoreProvider' && names.includes('-'))
    throw new ClusterctlError("the '-' value can not be used for the core provider");
  return names.filter((name) => name !== '-');
}

async function componentsFor(
  type: ProviderType,
  reference: string,
  options: InitOptions,
  dependencies: RepositoryDependencies,
): Promise<ProviderComponents> {
  const { name, version } = parseProviderReference(reference);
  const repository = await openRepository(dependencies.config.provider(name, type), dependencies);
  const { targetNamespace, raw = false } = options;
  return readComponents(repository, { version, targetNamespace, raw }, dependencies);
}

function isInstalled(provider: InstalledProvider, installed: readonly InstalledProvider[]): boolean {
  return installed.some(
    (each) =>
      labelOf(each) === labelOf(provider) && each.version === provider.version && each.namespace === provider.namespace,
  );
}

export async function install(
  client: Client,
  queue: readonly ProviderComponents[],
  onProvider: (provider: InstalledProvider) => void,
  dependencies: RepositoryDependencies,
): Promise<void> {
  const options = dependencies.signal === undefined ? {} : { signal: dependencies.signal };
  const writer = new ChangeExecutor({ client, clock: dependencies.clock, controller: 'slipway', ...options });
  for (const components of queue) {
    onProvider(components.provider);
    await applyComponents(writer, components, options);
  }
}
