import { stringifyManifest } from '@slipway/clusterctl';
import { applyMigration, type LegacyConfig, legacyConfigs, type MigrationPlan, planMigration } from '@slipway/kvm';
import { ifPresent } from '@slipway/runtime';
import type { KVMMigrateOptions } from '../commands/kvm.js';
import { type Target, withTarget } from '../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../errors/index.js';
import { readManifests } from '../plan/read-manifests.js';

export async function migrateKVM(name: string | undefined, options: KVMMigrateOptions): Promise<ExitCode> {
  const given = options.filename === undefined ? undefined : await configIn(options.filename);
  if (given !== undefined && !options.apply) return tell(plan(given, options));
  return withTarget(options, async (target, signal) => {
    const config = given ?? (await findConfig(target, name, signal));
    const planned = plan(config, options);
    if (!options.apply) return tell(planned);
    const { created, present } = await applyMigration(target.client, config, planned, { signal });
    for (const title of created) process.stdout.write(`${title} created\n`);
    for (const title of present) process.stdout.write(`${title} was there\n`);
    return exitCodes.ok;
  });
}

function plan(config: LegacyConfig, { kubernetesVersion, imageUrl }: KVMMigrateOptions): MigrationPlan {
  return planMigration({ config, kubernetesVersion, imageUrl });
}

/** Objects on standard output, to be applied; everything else beside it. */
function tell({ objects, steps, notes }: MigrationPlan): ExitCode {
  process.stdout.write(stringifyManifest(objects));
  for (const [index, { title, how, canBeUndone }] of steps.entries())
    process.stderr.write(`${index + 1}. ${title}${canBeUndone ? '' : ' (no way back)'}: ${how}\n`);
  for (const note of notes) process.stderr.write(`note: ${note}\n`);
  return exitCodes.ok;
}

async function configIn(file: string): Promise<LegacyConfig> {
  const found = (await readManifests([file])).find(({ kind }) => kind === legacyConfigs.kind);
  if (isLegacyConfig(found)) return found;
  throw new CliError(`${file} has no KVMConfig with a spec.cluster.id`, {
    remedy: 'save it with: kubectl get kvmconfig <id> -o yaml',
  });
}

async function findConfig(
  { client, namespace }: Target,
  name: string | undefined,
  signal: AbortSignal,
): Promise<LegacyConfig> {
  if (name === undefined)
    throw new CliError('which KVMConfig?', { exitCode: exitCodes.usage, remedy: 'name it, or give --filename' });
  const found = await ifPresent(client.get(legacyConfigs, { namespace, name }, { signal }));
  if (isLegacyConfig(found)) return found;
  throw new CliError(`there is no KVMConfig ${name} in namespace ${namespace}`, {
    remedy: 'look with: kubectl get kvmconfigs -A; or give it with --filename',
  });
}

function isLegacyConfig(object: unknown): object is LegacyConfig {
  const { spec } = (object ?? {}) as { spec?: { cluster?: { id?: unknown } } };
  return typeof spec?.cluster?.id === 'string';
}
