import { systemClock } from '@slipway/base';
import {
  matrixConfigMap,
  operatorNamespace,
  readStatus,
  shippedMatrixText,
  vdoConfigs,
  type VdoConfig,
} from '@slipway/drivers';
import type { Frozen } from '@slipway/kube';
import { type Client, configMaps, keyOf } from '@slipway/runtime';
import { withTarget } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { printObjects } from '../../output/index.js';
import type { UpgradeFlags } from './command.js';
import { follow } from './follow.js';
import type { DriversFlags } from './options.js';

/** Pins or unpins driver versions, or updates the operator to the newer matrix that this version contains. */
export function upgradeDrivers(flags: UpgradeFlags): Promise<ExitCode> {
  const pins = { cpi: flags.cpi, csi: flags.csi };
  if (flags.cpi === undefined && flags.csi === undefined) return useShippedMatrix(flags);
  return pin(flags, () => pins);
}

export function rollbackDriver(driver: 'cpi' | 'csi', flags: DriversFlags): Promise<ExitCode> {
  return pin(flags, ({ status }) => {
    const { previousVersion } = (driver === 'cpi' ? status?.cloudProvider : status?.storageProvider) ?? {};
    if (previousVersion === undefined)
      throw new CliError(`cannot roll back the ${driver.toUpperCase()}: no previous version is recorded`);
    return { [driver]: previousVersion };
  });
}

type Pins = { readonly cpi?: string | undefined; readonly csi?: string | undefined };

function pin(flags: DriversFlags, pinsOf: (config: Frozen<VdoConfig>) => Pins): Promise<ExitCode> {
  return withTarget(flags, async ({ client }, signal) => {
    const config = await configured(client, signal);
    const { cpi, csi } = pinsOf(config);
    const value = (version: string): string | null => (version === 'auto' ? null : version.replace(/^v/, ''));
    const spec = {
      ...(cpi !== undefined && { cloudProvider: { version: value(cpi) } }),
      ...(csi !== undefined && { storageProvider: { version: value(csi) } }),
    };
    if (flags.printYaml === true) {
      const { apiVersion, kind } = config;
      const { namespace, name } = keyOf(config);
      await printObjects([{ apiVersion, kind, metadata: { namespace, name }, spec }], flags.output);
      return exitCodes.ok;
    }
    await client.patch(vdoConfigs, keyOf(config), { type: 'merge', patch: { spec } }, { signal });
    return flags.wait === false ? exitCodes.ok : follow(client, flags, signal, 'drivers', systemClock);
  });
}

function useShippedMatrix(flags: DriversFlags): Promise<ExitCode> {
  return withTarget(flags, async ({ client }, signal) => {
    const data = { versionConfigContent: shippedMatrixText(), versionConfigURL: null, 'configured-by': 'user' };
    const metadata = { namespace: operatorNamespace, name: matrixConfigMap };
    if (flags.printYaml === true) {
      await printObjects(
        [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { versionConfigContent: data.versionConfigContent } }],
        flags.output,
      );
      return exitCodes.ok;
    }
    await configured(client, signal);
    await client.patch(configMaps, metadata, { type: 'merge', patch: { data } }, { signal });
    return flags.wait === false ? exitCodes.ok : follow(client, flags, signal, 'drivers', systemClock);
  });
}

async function configured(client: Client, signal: AbortSignal): Promise<Frozen<VdoConfig>> {
  const { operator, vdoConfig } = await readStatus(client, signal);
  if (operator === undefined)
    throw new CliError('the operator is not deployed', {
      remedy: 'deploy it with `slipway drivers deploy`',
      exitCode: exitCodes.notRunning,
    });
  if (vdoConfig === undefined)
    throw new CliError('no driver is configured', {
      remedy: 'configure the drivers with `slipway drivers configure drivers`',
      exitCode: exitCodes.notRunning,
    });
  return vdoConfig;
}
