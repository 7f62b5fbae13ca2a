import { parseArgs } from 'node:util';
import { simulateShards } from './simulate-shards.js';

// Prints how managers divide many clusters: `npm run sim:shards -- --clusters 10000 --managers 4 --shards 64`.
const { values } = parseArgs({
  options: {
    clusters: { type: 'string', default: '10000' },
    managers: { type: 'string', default: '4' },
    shards: { type: 'string', default: '64' },
    seed: { type: 'string', default: '1' },
  },
});
const [clusters, managers, shards, seed] = [values.clusters, values.managers, values.shards, values.seed].map(Number);
const options = { clusters: clusters ?? 1, managers: managers ?? 1, shards: shards ?? 1, seed: seed ?? 1 };
const result = await simulateShards(options);
const most = result.clusters.at(-1) ?? 0;
const mean = options.clusters / options.managers;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const lines = [
  `${options.clusters} clusters, ${options.managers} managers, ${options.shards} shards, seed ${options.seed}`,
  `all shards acquired after      ${seconds(result.startMs)}`,
  `clusters per manager           ${result.clusters.join(', ')}: at most ${((most / mean - 1) * 100).toFixed(1)} % above the mean`,
  `Lease writes per second        ${result.leaseWritesPerSecond.toFixed(1)}`,
  `takeover after kill -9         ${seconds(result.takeoverMs)}`,
  `rebalanced with a new manager  ${seconds(result.joinMs)}, ${result.moved} shards moved`,
];
process.stdout.write(`${lines.join('\n')}\n`);
