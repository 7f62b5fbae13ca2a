import { readFileSync } from 'node:fs';
import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  configMaps,
  connectionOf,
  createController,
  createHttpClient,
  createManager,
  InformerFactory,
  informerSources,
  keyOf,
  keyText,
  type LeaseTimes,
  parseKubeconfig,
  wait,
} from '@slipway/runtime';

/** A manager in a separate process, which tests kill. While it is the leader, it continuously writes its name to ConfigMaps. */
const [kubeconfigPath = '', identity = '', namespace = '', shardCount = '0'] = process.argv.slice(2);
const client = createHttpClient(connectionOf(parseKubeconfig(readFileSync(kubeconfigPath, 'utf8'))));
const times: LeaseTimes = { leaseDurationMs: 5_000, renewDeadlineMs: 4_000, retryPeriodMs: 500 };
let written = 0;

const controller = createController({
  name: 'writer',
  for: configMaps,
  filter: ({ object }) => object.metadata.name?.startsWith('written') === true,
  concurrency: 4,
  async reconcile(key, context) {
    written += 1;
    const data = { by: identity, count: String(written) };
    const body = { type: 'merge', patch: { data } } as const;
    await context.change({
      verb: 'patch',
      resource: configMaps,
      key,
      body,
      reason: 'Test',
      message: 'Written by a test',
    });
    return wait({ ms: 20, reason: 'Again', message: '' });
  },
});

const dependencies = { clock: systemClock, random: systemRandom, logger: silentLogger };
const sources = informerSources(new InformerFactory({ client, ...dependencies }), { defaults: { namespace } });
const shards = Number(shardCount);
const election = { namespace, name: 'writers', identity, times };
const shardKeyOf = (object: Frozen<KubeObject>): string => keyText(keyOf(object));
const sharing = shards > 0 ? { sharding: { ...election, shards, shardKeyOf } } : { leaderElection: election };
const manager = createManager({
  name: 'writer',
  client,
  sources,
  ...dependencies,
  controllers: [controller],
  ...sharing,
});
// Keep the process alive: timers of the clock do not.
setInterval(() => undefined, 60_000);
await manager.start();
await manager.done.catch(() => process.exit(1));
