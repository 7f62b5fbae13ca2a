import { createHash } from 'node:crypto';

const hashesMax = 50_000;
const hashes = new Map<string, number>();

/** Returns the shard of a key. The result must stay the same in every process and every release. */
export function shardOf(key: string, shards: number): number {
  let hash = hashes.get(key);
  if (hash === undefined) {
    hash = createHash('sha256').update(key).digest().readUInt32BE(0);
    if (hashes.size >= hashesMax) hashes.clear();
    hashes.set(key, hash);
  }
  return hash % shards;
}
