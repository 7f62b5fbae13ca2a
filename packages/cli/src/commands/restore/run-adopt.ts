import { silentLogger, systemClock } from '@slipway/base';
import { clusters } from '@slipway/cluster-api';
import { type ManagementState, type Plan, planOf, readState, whatIf } from '@slipway/insight';
import type { Client, ObjectKey } from '@slipway/runtime';
import { dataDirectory } from '../../instance/index.js';
import { startPlane } from '../../plane/start-plane.js';
import { planText } from '../../plans/plan-text.js';
import { ask } from '../../terminal/input.js';
import type { RestoreOptions } from './command.js';

const widthDefault = 80;

/**
 * Lets the controllers of a restored plane act only once somebody has seen what they would do. Every Cluster is at rest from
 * the first moment on: whatever ends this, the next start changes nothing that was not agreed to.
 */
export async function adopt(options: Pick<RestoreOptions, 'dataDir' | 'yes'>): Promise<void> {
  const directory = dataDirectory(options.dataDir);
  // The API server alone: nobody acts on anything.
  const plane = await startPlane({
    directory,
    bind: '127.0.0.1',
    port: 0,
    kubeconfig: directory.kubeconfig,
    apiOnly: true,
    featureGates: '',
    logger: silentLogger,
  });
  try {
    const held = await holdClusters(plane.client);
    if (held.length === 0) {
      process.stdout.write('No Cluster is there that controllers would act on.\n');
      return;
    }
    const state = await readState(plane.client, {});
    const plan = await planWithout(state, held);
    const width = process.stdout.columns ?? widthDefault;
    process.stdout.write(`\nWhat controllers will do if the Clusters go on\n\n${planText(plan, width)}\n`);
    if (await ask('Let the controllers act from the next start on?', options.yes ?? false)) {
      for (const key of held) await setPaused(plane.client, key, false);
      process.stdout.write(`${held.length} Clusters go on with the next start.\n`);
    } else process.stdout.write(heldText(held));
  } finally {
    await plane.stop();
  }
}

async function holdClusters(client: Client): Promise<ObjectKey[]> {
  const running = (await client.list(clusters)).items.filter(({ spec }) => spec.paused !== true);
  const keys = running.map(({ metadata: { namespace = '', name = '' } }) => ({ namespace, name }));
  for (const key of keys) await setPaused(client, key, true);
  return keys;
}

async function setPaused(client: Client, key: ObjectKey, paused: boolean): Promise<void> {
  await client.patch(clusters, key, { type: 'merge', patch: { spec: { paused: paused ? true : null } } });
}

async function planWithout(state: ManagementState, held: readonly ObjectKey[]): Promise<Plan> {
  const change = async (fork: Client): Promise<void> => {
    for (const key of held) await setPaused(fork, key, false);
  };
  return planOf(await whatIf({ state, nowMs: systemClock.now(), change }));
}

function heldText(held: readonly ObjectKey[]): string {
  const [first] = held;
  return `The Clusters stay at rest. To let one of them go on after the start:
  kubectl patch cluster -n ${first?.namespace ?? ''} ${first?.name ?? ''} --type merge -p '{"spec":{"paused":null}}'
`;
}
