import { formatTime, parseTime } from '@slipway/kube';
import type { ReconcileContext } from '@slipway/runtime';
import { csiNamespace, DriverError, type DriverName, type DriverStatus } from '../api/index.js';
import {
  applyObjects,
  inventoryChange,
  nextInventory,
  type Purpose,
  readInventory,
  removeObjects,
} from '../deploy/index.js';
import type { MatrixEntry, Resolution } from '../matrix/index.js';
import { renderDriver } from '../render/index.js';
import { isManaged } from './connection-scope.js';
import { type DriverState, driverStatusOf } from './driver-state.js';
import type { Observed } from './observe.js';
import { hasDrifted, observeHealth, type ObservedHealth } from './observe-health.js';
import type { OperatorDependencies } from './dependencies.js';
import { checkPreconditions, hasRetry, mayAdopt, wouldLoseNodes } from './preconditions.js';
import { isRemediationDue, restartChanges } from './remediate.js';
import { generatedClusterId, renderInput } from './render-input.js';
import { resolveDriver } from './resolve-driver.js';

/** Interval at which manual changes of managed objects are reverted. */
const reapplyMs = 300_000;

/** Reconciles one driver and returns its state. */
export async function deployDriver(
  driver: DriverName,
  observed: Observed,
  context: ReconcileContext,
  dependencies: OperatorDependencies,
): Promise<DriverState> {
  const before = driverStatusOf(observed.config, driver);
  if (!isManaged(observed.config.spec, driver)) return notManaged(driver);
  const { read, signal, clock } = context;
  const generated = driver === 'csi' ? await generatedClusterId(read, csiNamespace, signal) : undefined;
  const resolution = resolveDriver(driver, observed, dependencies.options, clock.now(), generated !== undefined);
  const preconditions = await checkPreconditions(driver, observed, context);
  const status: DriverStatus = { ...(before as DriverStatus) };
  const old = await observeHealth(driver, observed, context, status.lastAppliedHash);
  let problem = preconditions.blocking ?? observed.connections[driver].problem;
  if (problem === undefined && resolution.entry !== undefined) {
    try {
      await apply(driver, resolution.entry, status, old, observed, context, dependencies);
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      problem = error;
    }
  }
  const { health } = await observeHealth(driver, observed, context, status.lastAppliedHash);
  await settle(driver, resolution, status, health.health === 'Healthy' && problem === undefined, context, dependencies);
  return { driver, isManaged: true, resolution, preconditions, health, status, ...(problem && { problem }) };
}

function notManaged(driver: DriverName): DriverState {
  return {
    driver,
    isManaged: false,
    resolution: {},
    preconditions: { warnings: [] },
    health: { health: 'NotConfigured', reason: 'NotInstalled', message: 'not configured', workloads: [] },
    status: { health: 'NotConfigured' },
  };
}

async function apply(
  driver: DriverName,
  entry: MatrixEntry,
  status: DriverStatus,
  old: ObservedHealth,
  observed: Observed,
  context: ReconcileContext,
  dependencies: OperatorDependencies,
): Promise<void> {
  const { read, clock, signal } = context;
  const { supplied, config } = observed;
  if (supplied instanceof DriverError) throw supplied;
  const templates = await dependencies.templates.templatesOf(entry, supplied.base, read, signal);
  const { objects, hash } = renderDriver(await renderInput(driver, entry, templates, observed, context, dependencies));
  const nowMs = clock.now();
  const isNew = status.lastAppliedHash !== hash || hasDrifted(driver, hash, context);
  const isRepair = isRemediationDue(status, old.health, nowMs) || hasRetry(config) !== (status.lastSeenRetry ?? '');
  const isOld = nowMs - (dependencies.memory.appliedMs.get(driver) ?? 0) >= reapplyMs;
  if (![isNew, isRepair, isOld, old.health.health === 'Unknown'].includes(true)) return;
  if (driver === 'cpi' && isNew) refuseToLoseNodes(status, observed);
  const { namespace } = dependencies.options;
  if (isNew) recordVersion(driver, entry, status, observed, context);
  const before = await readInventory(read, namespace, driver, signal);
  const purpose = purposeOf(driver, entry, status, { isNew, isRepair });
  const applied = await applyObjects(objects, before, context, { adopt: mayAdopt(config), purpose });
  const inventory = nextInventory(before, entry.version, applied);
  if (JSON.stringify(before) !== JSON.stringify(inventory))
    await context.change(inventoryChange(namespace, driver, inventory));
  dependencies.memory.appliedMs.set(driver, nowMs);
  if (isNew) status.appliedTime = formatTime(nowMs);
  status.lastAppliedHash = hash;
  status.lastSeenRetry = hasRetry(config);
  if (isNew || !isRepair) return;
  status.lastRemediationTime = formatTime(nowMs);
  await context.changeAll(restartChanges(old, objects));
  context.events.record(config, {
    type: 'Warning',
    reason: 'DriverRedeployed',
    message: `${driver.toUpperCase()} ${entry.version} was applied again: ${old.health.message}`,
  });
}

function purposeOf(
  driver: DriverName,
  { version }: MatrixEntry,
  { installedVersion, lastAppliedHash }: DriverStatus,
  { isNew, isRepair }: { readonly isNew: boolean; readonly isRepair: boolean },
): Purpose {
  const name = `${driver.toUpperCase()} ${version}`;
  if (lastAppliedHash === undefined) return { reason: 'Installing', phrase: `to install ${name}` };
  if (isNew && installedVersion !== undefined && installedVersion !== version)
    return { reason: 'Upgrading', phrase: `to upgrade from ${installedVersion} to ${name}` };
  if (isNew) return { reason: 'ConfigurationChanged', phrase: `to configure ${name}` };
  if (isRepair) return { reason: 'Remediating', phrase: `again to repair ${name}` };
  return { reason: 'Resync', phrase: `again to revert manual changes of ${name}` };
}

function refuseToLoseNodes({ lastAppliedHash }: DriverStatus, observed: Observed): void {
  const lost = lastAppliedHash === undefined ? undefined : wouldLoseNodes(observed);
  if (lost !== undefined) throw lost;
}

function recordVersion(
  driver: DriverName,
  { version }: MatrixEntry,
  { installedVersion }: DriverStatus,
  { config }: Observed,
  { events }: ReconcileContext,
): void {
  const name = driver.toUpperCase();
  if (version === installedVersion) return;
  const message =
    installedVersion === undefined
      ? `${name} ${version} is installed`
      : `Upgrading ${name} from ${installedVersion} to ${version}`;
  events.record(config, { type: 'Normal', reason: 'VersionSelected', message });
}

/** Once the new version is healthy, records it as installed and prunes objects of older versions. */
async function settle(
  driver: DriverName,
  { entry }: Resolution,
  status: DriverStatus,
  isHealthy: boolean,
  context: ReconcileContext,
  dependencies: OperatorDependencies,
): Promise<void> {
  if (!isHealthy || entry === undefined) return;
  const { namespace } = dependencies.options;
  const inventory = await readInventory(context.read, namespace, driver, context.signal);
  if (inventory?.version !== entry.version) return;
  if (inventory.stale.length > 0) {
    const phrase = `because it is not part of ${driver.toUpperCase()} ${entry.version}`;
    await removeObjects(inventory.stale, context, { reason: 'VersionChanged', phrase });
    await context.change(inventoryChange(namespace, driver, { ...inventory, stale: [] }));
  }
  if (status.installedVersion === entry.version) return;
  if (status.installedVersion !== undefined) status.previousVersion = status.installedVersion;
  status.installedVersion = entry.version;
}

/** Time after which a version change that is not healthy counts as failed. */
const progressMs = 900_000;

export function hasFailedUpgrade({ status, health, resolution }: DriverState, nowMs: number): boolean {
  const { installedVersion, appliedTime } = status;
  if (installedVersion === undefined || appliedTime === undefined || health.health === 'Healthy') return false;
  const desired = resolution.entry?.version;
  return desired !== undefined && desired !== installedVersion && nowMs - parseTime(appliedTime) > progressMs;
}
