import { systemClock } from '@slipway/base';
import { stringifyManifest } from '@slipway/clusterctl';
import {
  applyMigration,
  AuthorityError,
  authoritySecrets,
  exportTemplate,
  kvmMachineTemplates,
  type LegacyConfig,
  legacyConfigs,
  type MigrationPlan,
  planMigration,
} from '@slipway/kvm';
import { ChangeExecutor, ifPresent, type Secret } from '@slipway/runtime';
import { type Target, withTarget } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { readManifests } from '../../plans/read-manifests.js';
import type { KVMExportOptions, KVMMigrateOptions } from './command.js';

export async function migrateKVM(name: string | undefined, options: KVMMigrateOptions): Promise<ExitCode> {
  const given = options.filename === undefined ? undefined : await configIn(options.filename);
  if (given !== undefined && !options.apply) return printPlan(plan(given, options), await caSecretsOf(given, options));
  return withTarget(options, async (target, signal) => {
    const config = given ?? (await findConfig(target, name, signal));
    const planned = plan(config, options);
    const caSecrets = await caSecretsOf(config, options);
    if (!options.apply) return printPlan(planned, caSecrets);
    const writer = new ChangeExecutor({ client: target.client, clock: systemClock, controller: 'kvm migrate', signal });
    const { created, present } = await explained(
      applyMigration(writer, config, planned, { authorities: caSecrets, signal }),
    );
    for (const title of created) process.stdout.write(`${title} created\n`);
    for (const title of present) process.stdout.write(`${title} unchanged\n`);
    return exitCodes.ok;
  });
}

function plan(config: LegacyConfig, { kubernetesVersion, imageUrl }: KVMMigrateOptions): MigrationPlan {
  return planMigration({ config, kubernetesVersion, imageUrl });
}

async function caSecretsOf({ spec }: LegacyConfig, { pki }: KVMMigrateOptions): Promise<Secret[]> {
  return pki === undefined ? [] : explained(authoritySecrets(pki, spec.cluster.id, systemClock));
}

async function explained<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof AuthorityError) throw new CliError(error.message, { cause: error });
    throw error;
  });
}

/** Prints the objects to apply on standard output, steps and notes on standard error. Private keys are not printed. */
function printPlan({ objects, steps, notes }: MigrationPlan, caSecrets: readonly Secret[]): ExitCode {
  process.stdout.write(stringifyManifest(objects));
  for (const [index, { title, how, canBeUndone }] of steps.entries())
    process.stderr.write(`${index + 1}. ${title}${canBeUndone ? '' : ' (irreversible)'}: ${how}\n`);
  const names = caSecrets.map(({ metadata }) => metadata.name).join(', ');
  const hiddenSecrets = caSecrets.length === 0 ? [] : [`Secrets ${names} are not printed; --apply creates them`];
  for (const note of [...notes, ...hiddenSecrets]) process.stderr.write(`note: ${note}\n`);
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
    throw new CliError('the name of the KVMConfig is required', {
      exitCode: exitCodes.usage,
      remedy: 'add the name, or set --filename',
    });
  const found = await ifPresent(client.get(legacyConfigs, { namespace, name }, { signal }));
  if (isLegacyConfig(found)) return found;
  throw new CliError(`KVMConfig ${name} not found in namespace ${namespace}`, {
    remedy: 'list the KVMConfigs with `kubectl get kvmconfigs -A`, or set --filename',
  });
}

function isLegacyConfig(object: unknown): object is LegacyConfig {
  const { spec } = (object ?? {}) as { spec?: { cluster?: { id?: unknown } } };
  return typeof spec?.cluster?.id === 'string';
}

export async function exportKVM(name: string, options: KVMExportOptions): Promise<ExitCode> {
  return withTarget(options, async ({ client, namespace }, signal) => {
    const template = await ifPresent(client.get(kvmMachineTemplates, { namespace, name }, { signal }));
    if (template === undefined)
      throw new CliError(`KVMMachineTemplate ${name} not found in namespace ${namespace}`, {
        remedy: 'list the KVMMachineTemplates with `kubectl get kvmmachinetemplates -A`',
      });
    const { object, notes } = exportTemplate(template, options.to);
    process.stdout.write(stringifyManifest([object]));
    for (const note of notes) process.stderr.write(`note: ${note}\n`);
    return exitCodes.ok;
  });
}
