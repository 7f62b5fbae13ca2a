import { sleep, systemClock } from '@slipway/base';
import { generateCluster, type GeneratedCluster } from '@slipway/clusterctl';
import { type CommandWorld, templateSource, withRepositories } from '../clusterctl/index.js';
import type { CreateClusterFlags } from '../commands/create.js';
import type { Target } from '../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../errors/index.js';
import { followUntilAvailable } from '../follow/follow-until-available.js';
import { applyObjects } from './apply-objects.js';
import { askForMissing } from './ask-for-missing.js';

// What a first cluster wants: something to run work on.
const workerMachineCountDefault = 2;

/** Makes a cluster from a template and shows how it comes up. */
export async function createCluster(name: string | undefined, given: CreateClusterFlags): Promise<ExitCode> {
  return withRepositories(given, async (world) => {
    const target = await world.target();
    const { name: chosen, flags } = await askForMissing(name, given, world);
    const generated = await generate(chosen, flags, world);
    const cluster = { namespace: generated.namespace, name: clusterNameIn(generated) };
    await applyObjects(target.client, generated.objects, {
      dryRun: flags.dryRun ?? false,
      signal: world.signal,
      onObject: (text) => process.stdout.write(`${text}\n`),
    });
    if (flags.dryRun === true || !flags.wait) return exitCodes.ok;
    return follow(target, cluster, flags, world.signal);
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

interface ClusterKey {
  readonly namespace: string;
  readonly name: string;
}

async function follow(
  target: Target,
  cluster: ClusterKey,
  { timeout }: CreateClusterFlags,
  signal: AbortSignal,
): Promise<ExitCode> {
  const patience = new AbortController();
  const waiting = AbortSignal.any([signal, patience.signal]);
  if (timeout !== undefined)
    void sleep(systemClock, timeout, { signal: waiting }).then(
      () => patience.abort(new Error('it took too long')),
      () => undefined,
    );
  const isAvailable = await followUntilAvailable(target.client, cluster, { signal: waiting });
  patience.abort(new Error('done'));
  if (isAvailable) {
    process.stdout.write(reachText(target, cluster));
    return exitCodes.ok;
  }
  process.stderr.write(goesOnText(target, cluster, signal.aborted ? 'Interrupted' : 'Not Available yet'));
  return signal.aborted ? exitCodes.interrupted : exitCodes.failed;
}

function reachText(target: Target, { namespace, name }: ClusterKey): string {
  return `
  slipway get kubeconfig ${name} -n ${namespace}${kubeconfigWords(target)} > ${name}.conf
  kubectl --kubeconfig ${name}.conf get nodes

`;
}

function goesOnText(target: Target, { namespace, name }: ClusterKey, why: string): string {
  return `${why}: the cluster goes on coming up. To follow it:

  slipway describe cluster ${name} -n ${namespace} --watch${kubeconfigWords(target)}

`;
}

function kubeconfigWords({ kubeconfig }: Target): string {
  return kubeconfig === undefined ? '' : ` --kubeconfig ${kubeconfig}`;
}
