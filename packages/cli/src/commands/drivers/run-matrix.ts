import { readFile } from 'node:fs/promises';
import {
  explainEntries,
  matrixConfigMap,
  nothingFits,
  operatorNamespace,
  parseMatrix,
  rangeText,
  readMatrix,
  shippedMatrixText,
} from '@slipway/drivers';
import { type Client, configMaps, ifPresent, persistentVolumes, volumeAttachments } from '@slipway/runtime';
import { withTarget } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { printObjects } from '../../output/index.js';
import { readStandardInput } from '../../terminal/input.js';
import type { DriversFlags } from './options.js';

export function showMatrix(): void {
  process.stdout.write(`${shippedMatrixText()}\n`);
}

export async function validateMatrix(file: string): Promise<ExitCode> {
  const { matrix, problems } = readMatrix(await textOf(file));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0 || matrix === undefined) return exitCodes.failed;
  process.stdout.write(
    `revision ${matrix.revision}: CSI ${matrix.entries.csi.length} versions, CPI ${matrix.entries.cpi.length} versions\n`,
  );
  return exitCodes.ok;
}

export async function explainMatrix(flags: {
  kubernetes: string;
  vsphere: readonly string[];
  file?: string;
  cpi: boolean;
}): Promise<ExitCode> {
  const matrix = parseMatrix(flags.file === undefined ? shippedMatrixText() : await textOf(flags.file));
  const vCenters = flags.vsphere.map((version, place) => ({ server: `vCenter ${place + 1}`, version }));
  const around = { kubernetes: flags.kubernetes.replace(/^v/, ''), vCenters, hasCloudProvider: flags.cpi };
  let isMissing = false;
  for (const driver of ['cpi', 'csi'] as const) {
    if (driver === 'cpi' && !flags.cpi) continue;
    const explained = explainEntries(matrix, driver, around);
    const fitting = explained.filter(({ misfits }) => misfits.length === 0);
    isMissing ||= fitting.length === 0;
    process.stdout.write(`${driver.toUpperCase()}\n`);
    if (fitting.length === 0)
      process.stdout.write(`  ${nothingFits(matrix, driver, around).split('; ').slice(0, 2).join('; ')}\n`);
    for (const { entry, misfits } of explained)
      process.stdout.write(
        `  ${entry.version}  Kubernetes ${rangeText(entry.kubernetes)}  vSphere ${rangeText(entry.vSphere)}  ${misfits.length === 0 ? 'fits' : misfits.join(', ')}\n`,
      );
  }
  return isMissing ? exitCodes.failed : exitCodes.ok;
}

export async function updateMatrix(source: string, flags: DriversFlags): Promise<ExitCode> {
  const isUrl = /^https?:\/\//.test(source);
  const content = isUrl ? undefined : await textOf(source);
  if (content !== undefined) parseMatrix(content);
  const key = { namespace: operatorNamespace, name: matrixConfigMap };
  // URL and inline content exclude each other, so the other field is removed.
  const data = {
    versionConfigURL: isUrl ? source : null,
    versionConfigContent: content ?? null,
    'configured-by': 'user',
  };
  const kept = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data: kept };
  if (flags.printYaml === true) {
    await printObjects([object], flags.output);
    return exitCodes.ok;
  }
  return withTarget(flags, async ({ client }, signal) => {
    await refuseSharedVolumes(client, signal);
    const found = await ifPresent(client.get(configMaps, key, { signal }));
    if (found === undefined)
      throw new CliError('the operator is not deployed', {
        remedy: 'deploy it with `slipway drivers deploy`',
        exitCode: exitCodes.notRunning,
      });
    await client.patch(configMaps, key, { type: 'merge', patch: { data } }, { signal });
    process.stdout.write('Compatibility matrix updated. Check the drivers with `slipway drivers status`.\n');
    return exitCodes.ok;
  });
}

/**
 * Throws if a volume that several nodes can mount is attached: changes between old release lines of the storage driver need a
 * manual step for it.
 */
async function refuseSharedVolumes(client: Client, signal: AbortSignal): Promise<void> {
  const { items } = await client.list(volumeAttachments, { signal });
  const names = items.flatMap(({ spec }) =>
    spec.attacher === 'csi.vsphere.vmware.com' ? [spec.source.persistentVolumeName ?? ''] : [],
  );
  for (const name of new Set(names)) {
    const volume = await ifPresent(client.get(persistentVolumes, { namespace: '', name }, { signal }));
    const modes = volume?.spec?.accessModes ?? [];
    if (modes.some((mode) => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany'))
      throw new CliError(`volume ${name} is attached to several nodes`, {
        remedy: 'stop the pods that use it, then change the storage driver',
      });
  }
}

export async function configureMatrix(source: string | undefined, flags: DriversFlags): Promise<ExitCode> {
  if (source !== undefined) return updateMatrix(source, flags);
  if (!process.stdin.isTTY)
    throw new CliError('a URL or file of a compatibility matrix is required', {
      remedy: 'run `slipway drivers configure compatibility-matrix FILE`',
      exitCode: exitCodes.usage,
    });
  const { askText } = await import('../../terminal/prompts.js');
  return updateMatrix(await askText('URL or file of the compatibility matrix'), flags);
}

async function textOf(file: string): Promise<string> {
  if (file === '-') return readStandardInput();
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CliError(`cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
}
