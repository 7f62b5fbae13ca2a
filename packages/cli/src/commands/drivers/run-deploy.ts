import { readFile } from 'node:fs/promises';
import { systemClock } from '@slipway/base';
import {
  bundleObjects,
  bundleTemplates,
  operatorManifest,
  operatorRules,
  parseTemplate,
  readStatus,
  watchedResources,
  writeObjects,
  writtenObjects,
} from '@slipway/drivers';
import type { KubeObject } from '@slipway/kube';
import type { Client } from '@slipway/runtime';
import { commandWriter, withTarget } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { printObjects } from '../../output/index.js';
import { managerImageIn, ownImages } from '../../own-images.js';
import { slipwayVersion } from '../../version.js';
import type { DeployFlags } from './command.js';
import { follow, vdoConfigsPresent } from './follow.js';
import { readBundleFiles } from './run-bundle.js';

/** Installs this version of the operator, or replaces the installed version. */
export async function deployDrivers(flags: DeployFlags): Promise<ExitCode> {
  const files = flags.bundle === undefined ? undefined : await readBundleFiles(flags.bundle);
  if (flags.printYaml === true && flags.openshift !== 'auto') {
    await printObjects(await objectsOf(flags, flags.openshift === 'true', files), flags.output);
    return exitCodes.ok;
  }
  return withTarget(flags, async ({ client }, signal) => {
    const isOpenShift = flags.openshift === 'auto' ? await runsOpenShift(client) : flags.openshift === 'true';
    const objects = await objectsOf(flags, isOpenShift, files);
    if (flags.printYaml === true) {
      await printObjects(objects, flags.output);
      return exitCodes.ok;
    }
    await checkStep(client, flags, signal);
    const say = (text: string): void => void process.stdout.write(`${text}\n`);
    await writeObjects(commandWriter(client, signal), objects, { signal, say });
    const isConfigured = await vdoConfigsPresent(client, signal);
    const code =
      flags.wait === false
        ? exitCodes.ok
        : await follow(client, flags, signal, isConfigured ? 'drivers' : 'operator', systemClock);
    if (code === exitCodes.ok)
      say(`Next: ${isConfigured ? '`slipway drivers status`' : '`slipway drivers configure drivers`'}`);
    return code;
  });
}

async function objectsOf(
  flags: DeployFlags,
  isOpenShift: boolean,
  files: Awaited<ReturnType<typeof readBundleFiles>> | undefined,
): Promise<KubeObject[]> {
  if (flags.spec !== undefined) return parseTemplate(await readFile(flags.spec, 'utf8'), flags.spec);
  const bundle = files === undefined ? undefined : bundleObjects(files);
  const images = {
    ...(flags.cpiContainerImageUrl !== undefined && { cpi: flags.cpiContainerImageUrl }),
    ...(flags.csiContainerImageUrl !== undefined && { 'csi-driver': flags.csiContainerImageUrl }),
  };
  const registry = flags.imageRegistry;
  const manifest = operatorManifest({
    image: flags.image ?? (registry === undefined ? ownImages.manager : managerImageIn(registry)),
    version: slipwayVersion,
    updatePolicy: flags.updatePolicy,
    imageRegistry: registry,
    images,
    pullSecrets: flags.imagePullSecret ?? [],
    matrixUrl: flags.compatibilityMatrixUrl,
    matrixContent: bundle?.matrix,
    isOpenShift,
    ...(files && { rules: operatorRules(watchedResources(), writtenObjects(bundleTemplates(files))) }),
  });
  // Templates are created after their namespace and before the operator that reads them.
  const [operatorNamespaceObject, ...rest] = manifest;
  return [operatorNamespaceObject as KubeObject, ...(bundle?.objects ?? []), ...rest];
}

async function runsOpenShift(client: Client): Promise<boolean> {
  return (await client.resourceFor({ group: 'config.openshift.io', kind: 'ClusterVersion' })) !== undefined;
}

/**
 * Throws if the installed operator is more than one minor version newer: CRD versions are compatible with one previous minor
 * version only.
 */
async function checkStep(client: Client, flags: DeployFlags, signal: AbortSignal): Promise<void> {
  const { operator } = await readStatus(client, signal).catch(() => ({ operator: undefined }));
  const [, major, minor] = /:v(\d+)\.(\d+)\./.exec(operator?.image ?? '') ?? [];
  const [ownMajor, ownMinor] = slipwayVersion.split('.').map(Number) as [number, number];
  if (major === undefined || flags.force === true) return;
  const isTooOld = Number(major) > ownMajor || (Number(major) === ownMajor && Number(minor) - ownMinor > 1);
  if (isTooOld)
    throw new CliError(
      `the operator in the cluster has version ${major}.${minor ?? ''}, more than one minor version ahead of slipway ${slipwayVersion}`,
      {
        remedy: 'use a newer slipway, or --force',
      },
    );
}
