import { clusters } from '@slipway/cluster-api';
import { ifPresent } from '@slipway/runtime';
import { observeCluster } from '../../clusters/find-objects.js';
import { type FollowEnd, followWithin } from '../../clusters/follow-tree.js';
import { withTarget } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { styleFor } from '../../output/index.js';
import { ask } from '../../terminal/input.js';
import type { DeleteClusterFlags } from './command.js';

/** Deletes a cluster after a confirmation, and waits until it is deleted. */
export async function deleteCluster(name: string, flags: DeleteClusterFlags): Promise<ExitCode> {
  return withTarget(flags, async ({ client, namespace }, signal) => {
    const key = { namespace, name };
    const { set } = await observeCluster(client, key, { withoutEvents: true, signal });
    const machines = set.objects.filter(({ kind }) => kind === 'Machine').length;
    const isInteractive = process.stdin.isTTY && process.stdout.isTTY;
    const question = `Delete Cluster ${namespace}/${name} and its ${machines} machines?`;
    if (isInteractive && !(await ask(question, flags.yes ?? false)))
      throw new CliError('nothing was deleted', { exitCode: exitCodes.interrupted });
    await ifPresent(client.delete(clusters, key, { signal }));
    process.stdout.write(`cluster.cluster.x-k8s.io/${name} deletion requested\n`);
    if (!flags.wait) return exitCodes.ok;
    const style = styleFor(process.stdout, undefined);
    const end = await followWithin(client, key, { signal, timeoutMs: flags.timeout, style });
    process.stdout.write(endText(end, name, namespace));
    return end === 'gone' ? exitCodes.ok : end === 'interrupted' ? exitCodes.interrupted : exitCodes.failed;
  });
}

function endText(end: FollowEnd | 'late', name: string, namespace: string): string {
  if (end === 'gone') return `cluster.cluster.x-k8s.io/${name} deleted\n`;
  return `${end === 'interrupted' ? 'Interrupted' : 'Not deleted yet'}: the deletion continues. To see what it waits for:

  slipway why cluster/${name} -n ${namespace}

`;
}
