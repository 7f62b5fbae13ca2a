import { silentLogger, systemClock } from '@slipway/base';
import { clusters } from '@slipway/cluster-api';
import { type ManagementState, type Plan, planOf, readState, whatIf } from '@slipway/insight';
import type { Client, ObjectKey } from '@slipway/runtime';
import { dataDirectory } from '../../instance/index.js';
import { terminalWidth } from '../../output/index.js';
import { startPlane } from '../../plane/start-plane.js';
import { planText } from '../../plans/plan-text.js';
import { ask } from '../../terminal/input.js';
import type { RestoreOptions } from './command.js';

const widthDefault = 80;

/**
 * Shows the changes that the controllers of a restored plane would make, and asks before they can act. All Clusters are paused
 * first: if the command is interrupted, the next start of the plane makes no unconfirmed change.
 */
export async function adopt(
  options: Pick<RestoreOptions, 'dataDir' | 'yes' | 'encryptionProviderConfig'>,
): Promise<void> {
  const directory = dataDirectory(options.dataDir);
  // Only the API server runs, without controllers.
  const plane = await startPlane({
    directory,
    bind: '127.0.0.1',
    port: 0,
    kubeconfig: directory.kubeconfig,
    apiOnly: true,
    featureGates: '',
    encryptionProviderConfig: options.encryptionProviderConfig,
    logger: silentLogger,
  });
  try {
    const paused = await pauseClusters(plane.client);
    if (paused.length === 0) {
      process.stdout.write(
        'Nothing to review: the backup does not contain any Cluster, or all its Clusters are paused.\n',
      );
      return;
    }
    const state = await readState(plane.client, {});
    const plan = await planWithout(state, paused);
    const width = terminalWidth(process.stdout, widthDefault);
    process.stdout.write(
      `\nChanges that the controllers will make when the Clusters are resumed\n\n${planText(plan, width)}\n`,
    );
    if (await ask('Resume the Clusters at the next start?', options.yes ?? false)) {
      for (const key of paused) await setPaused(plane.client, key, false);
      process.stdout.write(`${paused.length} Clusters are resumed at the next start.\n`);
    } else process.stdout.write(heldText(paused));
  } finally {
    await plane.stop();
  }
}

async function pauseClusters(client: Client): Promise<ObjectKey[]> {
  const running = (await client.list(clusters)).items.filter(({ spec }) => spec.paused !== true);
  const keys = running.map(({ metadata: { namespace = '', name = '' } }) => ({ namespace, name }));
  for (const key of keys) await setPaused(client, key, true);
  return keys;
}

async function setPaused(client: Client, key: ObjectKey, paused: boolean): Promise<void> {
  await client.patch(clusters, key, { type: 'merge', patch: { spec: { paused: paused ? true : null } } });
}

async function planWithout(state: ManagementState, paused: readonly ObjectKey[]): Promise<Plan> {
  const change = async (fork: Client): Promise<void> => {
    for (const key of paused) await setPaused(fork, key, false);
  };
  return planOf(await whatIf({ state, nowMs: systemClock.now(), change }));
}

function heldText(paused: readonly ObjectKey[]): string {
  const [first] = paused;
  return `The Clusters stay paused. To resume one of them after the start:
  kubectl patch cluster -n ${first?.namespace ?? ''} ${first?.name ?? ''} --type merge -p '{"spec":{"paused":null}}'
`;
}
