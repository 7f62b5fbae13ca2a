import { parse } from 'semver';
import { ChangeExecutor, deployments, ifPresent, type Writer } from '@slipway/runtime';
import { ClusterctlError } from '../clusterctl-error.js';
import { type ProviderComponents, readComponents } from '../components/index.js';
import { type DiscoveringClient, deleteObjects, findProviderObjects } from '../delete/index.js';
import { applyComponents, untilDeployment } from '../install/index.js';
import {
  checkSingleInstances,
  type InstalledProvider,
  instanceName,
  listInstalled,
  providerLabels,
} from '../inventory/index.js';
import { compareProviderTypes } from '../provider/index.js';
import { openRepository, type RepositoryDependencies } from '../repository/index.js';
import type { UpgradeItem, UpgradePlan } from './plan-upgrade.js';

/** Progress callbacks. */
export interface UpgradeSteps {
  onScaleDown(provider: InstalledProvider): void;
  onInstall(provider: InstalledProvider): void;
}

const scaleDownTimeoutMs = 60_000;
const minorsSkippedMax = 3;

/**
 * Executes an upgrade plan. Reads everything before the first write. Every step is idempotent, so that an interrupted upgrade can
 * be finished by running it again.
 */
export async function applyUpgrade(
  client: DiscoveringClient,
  plan: UpgradePlan,
  steps: UpgradeSteps,
  dependencies: RepositoryDependencies,
): Promise<readonly ProviderComponents[]> {
  checkSingleInstances(await listInstalled(client));
  const items = plan.items
    .filter((item): item is Required<UpgradeItem> => item.nextVersion !== undefined)
    .sort((left, right) => compareProviderTypes(left.provider.type, right.provider.type));
  for (const item of items) checkSkew(item);
  const queue: { readonly item: Required<UpgradeItem>; readonly components: ProviderComponents }[] = [];
  for (const item of items) queue.push({ item, components: await componentsOf(item, dependencies) });
  const options = dependencies.signal === undefined ? {} : { signal: dependencies.signal };
  const writer = new ChangeExecutor({ client, clock: dependencies.clock, controller: 'slipway', ...options });
  for (const { item } of queue) {
    steps.onScaleDown(item.provider);
    await scaleDown(writer, item.provider, dependencies);
  }
  for (const { item, components } of queue) {
    steps.onInstall(components.provider);
    const old = await findProviderObjects(
      client,
      item.provider,
      { inventory: false, definitions: false, namespace: false },
      options,
    );
    await deleteObjects(client, old, options);
    await applyComponents(writer, components, options);
  }
  return queue.map(({ components }) => components);
}

/**
 * Rejects an upgrade that skips too many minor versions. Old storage versions are removed from CRDs over time, so objects could
 * be lost.
 */
export function checkSkew({ provider, nextVersion }: Required<UpgradeItem>): void {
  const isOfTheCore =
    provider.type === 'CoreProvider' ||
    (provider.name === 'kubeadm' && ['BootstrapProvider', 'ControlPlaneProvider'].includes(provider.type));
  const current = parse(provider.version);
  const next = parse(nextVersion);
  if (!isOfTheCore || current === null || next === null || current.compare('1.10.0') < 0) return;
  if (next.minor > current.minor + minorsSkippedMax)
    throw new ClusterctlError(
      `upgrade for ${instanceName(provider)} provider can't skip more than ${minorsSkippedMax} versions`,
    );
}

async function componentsOf(
  item: Required<UpgradeItem>,
  dependencies: RepositoryDependencies,
): Promise<ProviderComponents> {
  const { name, type, namespace } = item.provider;
  const repository = await openRepository(dependencies.config.provider(name, type), dependencies);
  return readComponents(repository, { version: item.nextVersion, targetNamespace: namespace }, dependencies);
}

/** Scales down the manager, because two versions of it must not run at the same time. */
export async function scaleDown(
  writer: Pick<Writer, 'read' | 'change'>,
  provider: InstalledProvider,
  dependencies: Pick<RepositoryDependencies, 'clock' | 'signal'>,
): Promise<void> {
  const { clock, signal } = dependencies;
  const labelSelector = Object.entries(providerLabels(provider))
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
  const options = signal === undefined ? {} : { signal };
  const { items } = await writer.read.list(deployments, { namespace: provider.namespace, labelSelector, ...options });
  for (const { metadata } of items) {
    const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
    const patch = { spec: { replicas: 0 } };
    await ifPresent(
      writer.change({
        verb: 'patch',
        resource: deployments,
        key,
        body: { type: 'merge', patch },
        reason: 'Upgrading',
        message: `Scaled down the manager of ${instanceName(provider)} before its upgrade`,
      }),
    );
    const isDown = await untilDeployment(writer.read, key, ({ status }) => (status?.replicas ?? 0) === 0, {
      clock,
      timeoutMs: scaleDownTimeoutMs,
      ...options,
    });
    if (isDown) continue;
    throw new ClusterctlError(`failed to wait until Deployment ${key.namespace}/${key.name} is scaled down`, {
      remedy: 'check why its Pods are not terminated, then run the upgrade again: it resumes where it stopped',
    });
  }
}
