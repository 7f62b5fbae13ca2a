export { fairShare } from './fair-share.js';
export type { ShardElectorOptions, ShardStatus } from './shard-elector.js';
export { ShardElector } from './shard-elector.js';
export { clusterKeyOf, shardOf } from './shard-hash.js';
