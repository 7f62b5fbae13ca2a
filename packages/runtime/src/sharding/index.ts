export { fairShare } from './fair-share.js';
export type { ShardElectorOptions } from './shard-elector.js';
export { ShardElector } from './shard-elector.js';
export { shardOf } from './shard-hash.js';
