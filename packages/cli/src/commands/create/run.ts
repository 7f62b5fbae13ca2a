import {
  clusterNameProblem,
  findInstalled,
  generateCluster,
  type GeneratedCluster,
  listInstalled,
  MissingVariablesError,
  versionProblem,
} from '@slipway/clusterctl';
import { applyObjects } from '@slipway/insight';
import { followWithin, isAvailable } from '../../clusters/follow-tree.js';
import type { Target } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { styleFor } from '../../output/index.js';
import { manifestProblem } from '../../plans/read-manifests.js';
import { type CommandContext, templateSource, withRepositories } from '../../repositories/index.js';
import type { CreateClusterFlags } from './command.js';
import { pendingText, reachText } from './text.js';

// Not 0, because a first cluster needs worker machines to run workloads.
const workerMachineCountDefault = 2;

/** Creates a cluster from a template and shows its progress. */
export async function createCluster(name: string | undefined, given: CreateClusterFlags): Promise<ExitCode> {
  return withRepositories(given, async (context) => {
    const target = await context.target();
    const { name: chosen, flags } = await askForMissing(name, given, context);
    const generated = await generateAsking(chosen, flags, context);
    const cluster = { namespace: generated.namespace, name: clusterNameIn(generated) };
    await apply(target, generated, flags.dryRun ?? false, context.signal);
    if (flags.dryRun === true || !flags.wait) return exitCodes.ok;
    const style = styleFor(process.stdout, undefined);
    const wait = { signal: context.signal, timeoutMs: flags.timeout, style, until: isAvailable };
    const end = await followWithin(target.client, cluster, wait);
    if (end === 'reached') process.stdout.write(reachText(flags, cluster));
    else process.stderr.write(pendingText(flags, cluster, end === 'interrupted'));
    return end === 'reached' ? exitCodes.ok : end === 'interrupted' ? exitCodes.interrupted : exitCodes.failed;
  });
}

/** On a terminal, asks for every variable of the template that has no value, until none is missing. */
async function generateAsking(
  name: string,
  flags: CreateClusterFlags,
  context: CommandContext,
): Promise<GeneratedCluster> {
  const prompted = new Set<string>();
  for (;;) {
    try {
      return await generate(name, flags, context);
    } catch (error) {
      const isNew = (variable: string): boolean => !prompted.has(variable);
      if (!(error instanceof MissingVariablesError) || !isInteractive(flags) || !error.variables.some(isNew))
        throw error;
      const { askVariables } = await import('./questions.js');
      for (const variable of error.variables) prompted.add(variable);
      for (const [variable, value] of await askVariables(error.variables)) context.config.set(variable, value);
    }
  }
}

function isInteractive(flags: CreateClusterFlags): boolean {
  return process.stdin.isTTY && process.stdout.isTTY && flags.yes !== true && flags.from !== '-';
}

async function generate(name: string, flags: CreateClusterFlags, context: CommandContext): Promise<GeneratedCluster> {
  const { targetNamespace, kubernetesVersion, controlPlaneMachineCount } = flags;
  const fallback = context.config.lookup('WORKER_MACHINE_COUNT') === undefined ? workerMachineCountDefault : undefined;
  const workerMachineCount = flags.workerMachineCount ?? fallback;
  const values = { name, targetNamespace, kubernetesVersion, controlPlaneMachineCount, workerMachineCount };
  return generateCluster({ ...values, source: await templateSource(flags) }, context);
}

/** Returns the name of the Cluster in the generated objects: a custom template may give it another name. */
function clusterNameIn({ objects }: GeneratedCluster): string {
  const cluster = objects.find(
    ({ apiVersion, kind }) => kind === 'Cluster' && apiVersion.startsWith('cluster.x-k8s.io/'),
  );
  if (cluster?.metadata.name !== undefined) return cluster.metadata.name;
  throw new CliError('the template has no Cluster', {
    remedy: 'print its objects with `slipway generate cluster`',
  });
}

async function apply(target: Target, generated: GeneratedCluster, dryRun: boolean, signal: AbortSignal): Promise<void> {
  const { namespace, objects } = generated;
  const suffix = dryRun ? ' (dry run)' : '';
  try {
    for (const { kind, metadata } of await applyObjects(target.client, objects, { namespace, dryRun, signal }))
      process.stdout.write(`applied ${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}${suffix}\n`);
  } catch (error) {
    throw manifestProblem(error);
  }
}

export interface Answers {
  readonly name: string;
  readonly flags: CreateClusterFlags;
}

/** Asks for missing values on a terminal. Without one, they must be given as flags. */
async function askForMissing(
  name: string | undefined,
  flags: CreateClusterFlags,
  context: CommandContext,
): Promise<Answers> {
  if (!isInteractive(flags)) {
    if (name !== undefined) return { name, flags };
    throw new CliError('the name of the cluster is missing', {
      remedy: 'add the name, such as `slipway create cluster demo`; on a terminal the command prompts for it',
      exitCode: exitCodes.usage,
    });
  }
  const { ask } = await import('./questions.js');
  const isOwnTemplate = flags.from !== undefined || flags.fromConfigMap !== undefined;
  return ask(name, flags, {
    infrastructures: isOwnTemplate ? [] : await infrastructuresOf(context),
    valueOf: context.config.lookup,
    nameProblem: clusterNameProblem,
    versionProblem,
  });
}

/** Returns the infrastructure providers that the inventory lists as installed, or all known ones. */
async function infrastructuresOf(context: CommandContext): Promise<readonly string[]> {
  const known = context.config.providers.filter(({ type }) => type === 'InfrastructureProvider');
  const installed = await listInstalled((await context.target()).client);
  const usable = known.filter((provider) => findInstalled(installed, provider) !== undefined);
  return (usable.length === 0 ? known : usable).map(({ name }) => name);
}
