import { annotations, operatorManifest, vdoConfigs } from '@slipway/drivers';
import { isReason } from '@slipway/kube';
import { customResourceDefinitions, ifPresent, keyOf } from '@slipway/runtime';
import { withTarget } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { slipwayVersion } from '../../version.js';
import type { DeleteDriversFlags } from './command.js';

/** Deletes the operator. Drivers are kept unless --drivers=remove is set; volumes are always kept. */
export async function deleteDrivers(flags: DeleteDriversFlags): Promise<ExitCode> {
  if (flags.yes !== true) {
    if (!process.stdin.isTTY)
      throw new CliError('cannot ask for confirmation: standard input is not a terminal', {
        remedy: 'use --yes to skip the confirmation',
        exitCode: exitCodes.usage,
      });
    const { askYes } = await import('../../terminal/prompts.js');
    if (!(await askYes(`Delete the operator${flags.drivers === 'remove' ? ' and the drivers' : ''}?`, false)))
      return exitCodes.ok;
  }
  return withTarget(flags, async ({ client }, signal) => {
    const say = (text: string): void => void process.stdout.write(`${text}\n`);
    const configs = await client.list(vdoConfigs, { signal }).catch((error: unknown) => {
      if (isReason(error, 'NotFound')) return { items: [] };
      throw error;
    });
    for (const config of configs.items) {
      const policy = flags.drivers === 'remove' ? 'Delete' : 'Retain';
      await client.patch(
        vdoConfigs,
        keyOf(config),
        { type: 'merge', patch: { metadata: { annotations: { [annotations.deletionPolicy]: policy } } } },
        { signal },
      );
      await ifPresent(client.delete(vdoConfigs, keyOf(config), { signal }));
      say(`Waiting for the operator to finalize VDOConfig ${config.metadata.name ?? ''}`);
      await waitUntilDeleted(client, keyOf(config), signal);
    }
    const objects = operatorManifest({ image: '', version: slipwayVersion }).reverse();
    for (const object of objects) {
      const isDefinition = object.kind === 'CustomResourceDefinition';
      // The namespaces of the drivers are kept: that of the storage driver contains its credentials.
      if (
        (isDefinition && flags.crds !== true) ||
        (object.kind === 'Namespace' && object.metadata.name !== 'vmware-system-vdo')
      )
        continue;
      const resource = isDefinition ? customResourceDefinitions : await client.resourceFor(groupKindOf(object));
      if (resource !== undefined) await ifPresent(client.delete(resource, keyOf(object), { signal }));
    }
    say('The operator was deleted.');
    return exitCodes.ok;
  });
}

function groupKindOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): {
  group: string;
  kind: string;
} {
  return { group: apiVersion.includes('/') ? apiVersion.replace(/\/.*$/, '') : '', kind };
}

async function waitUntilDeleted(
  client: import('@slipway/runtime').Client,
  key: { namespace: string; name: string },
  signal: AbortSignal,
): Promise<void> {
  const scope = { namespace: key.namespace, fieldSelector: `metadata.name=${key.name}`, signal };
  for (;;) {
    const { items, resourceVersion } = await client.list(vdoConfigs, scope);
    if (items.length === 0) return;
    for await (const _events of client.watch(vdoConfigs, { ...scope, resourceVersion })) break;
    signal.throwIfAborted();
  }
}
