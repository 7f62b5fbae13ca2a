import { sleep, systemClock } from '@slipway/base';
import {
  clusterNameProblem,
  findInstalled,
  generateCluster,
  type GeneratedCluster,
  listInstalled,
  versionProblem,
} from '@slipway/clusterctl';
import { applyObjects } from '@slipway/insight';
import type { ObjectKey } from '@slipway/runtime';
import { type FollowEnd, followTree, isAvailable } from '../../clusters/follow-tree.js';
import type { Target } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { styleFor } from '../../output/index.js';
import { manifestProblem } from '../../plans/read-manifests.js';
import { type CommandWorld, templateSource, withRepositories } from '../../repositories/index.js';
import type { CreateClusterFlags } from './command.js';
import { goesOnText, reachText } from './text.js';

// What a first cluster wants: something to run work on.
const workerMachineCountDefault = 2;

/** Makes a cluster from a template and shows how it comes up. */
export async function createCluster(name: string | undefined, given: CreateClusterFlags): Promise<ExitCode> {
  return withRepositories(given, async (world) => {
    const target = await world.target();
    const { name: chosen, flags } = await askForMissing(name, given, world);
    const generated = await generate(chosen, flags, world);
    const cluster = { namespace: generated.namespace, name: clusterNameIn(generated) };
    await apply(target, generated, flags.dryRun ?? false, world.signal);
    if (flags.dryRun === true || !flags.wait) return exitCodes.ok;
    const end = await follow(target, cluster, flags.timeout, world.signal);
    if (end === 'reached') process.stdout.write(reachText(flags, cluster));
    else process.stderr.write(goesOnText(flags, cluster, end === 'interrupted'));
    return end === 'reached' ? exitCodes.ok : end === 'interrupted' ? exitCodes.interrupted : exitCodes.failed;
  });
}

async function generate(name: string, flags: CreateClusterFlags, world: CommandWorld): Promise<GeneratedCluster> {
  const { targetNamespace, kubernetesVersion, controlPlaneMachineCount } = flags;
  const fallback = world.config.lookup('WORKER_MACHINE_COUNT') === undefined ? workerMachineCountDefault : undefined;
  const workerMachineCount = flags.workerMachineCount ?? fallback;
  const values = { name, targetNamespace, kubernetesVersion, controlPlaneMachineCount, workerMachineCount };
  return generateCluster({ ...values, source: await templateSource(flags) }, world);
}

/** A template of one's own may call its cluster as it likes. */
function clusterNameIn({ objects }: GeneratedCluster): string {
  const cluster = objects.find(
    ({ apiVersion, kind }) => kind === 'Cluster' && apiVersion.startsWith('cluster.x-k8s.io/'),
  );
  if (cluster?.metadata.name !== undefined) return cluster.metadata.name;
  throw new CliError('the template makes no Cluster', { remedy: '`slipway generate cluster` prints what it makes' });
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

/** Until it is Available, the time is up or somebody has seen enough. */
async function follow(
  { client }: Target,
  cluster: ObjectKey,
  timeoutMs: number | undefined,
  signal: AbortSignal,
): Promise<FollowEnd | 'late'> {
  const patience = new AbortController();
  const looking = AbortSignal.any([signal, patience.signal]);
  if (timeoutMs !== undefined)
    void sleep(systemClock, timeoutMs, { signal: looking }).then(
      () => patience.abort(new Error('it took too long')),
      () => undefined,
    );
  const style = styleFor(process.stdout, undefined);
  try {
    const end = await followTree(client, cluster, { signal: looking, style, until: isAvailable });
    return end === 'interrupted' && !signal.aborted ? 'late' : end;
  } catch (error) {
    // What ends the looking is no failure of the cluster.
    if (!looking.aborted) throw error;
    return signal.aborted ? 'interrupted' : 'late';
  } finally {
    patience.abort(new Error('done'));
  }
}

export interface Answers {
  readonly name: string;
  readonly flags: CreateClusterFlags;
}

/** Asks a person for what was not said; a script has to say it. */
async function askForMissing(
  name: string | undefined,
  flags: CreateClusterFlags,
  world: CommandWorld,
): Promise<Answers> {
  const isPersonThere = process.stdin.isTTY && process.stdout.isTTY && flags.yes !== true && flags.from !== '-';
  if (!isPersonThere) {
    if (name !== undefined) return { name, flags };
    throw new CliError('a name for the cluster is missing', {
      remedy: '`slipway create cluster demo`; at a terminal it is asked for',
      exitCode: exitCodes.usage,
    });
  }
  // Only here: nobody else needs the questions.
  const { ask } = await import('./questions.js');
  const isOwnTemplate = flags.from !== undefined || flags.fromConfigMap !== undefined;
  return ask(name, flags, {
    infrastructures: isOwnTemplate ? [] : await infrastructuresOf(world),
    valueOf: world.config.lookup,
    nameProblem: clusterNameProblem,
    versionProblem,
  });
}

/** Those that are installed where an inventory tells, else all that are known. */
async function infrastructuresOf(world: CommandWorld): Promise<readonly string[]> {
  const known = world.config.providers.filter(({ type }) => type === 'InfrastructureProvider');
  const installed = await listInstalled((await world.target()).client);
  const usable = known.filter((provider) => findInstalled(installed, provider) !== undefined);
  return (usable.length === 0 ? known : usable).map(({ name }) => name);
}
