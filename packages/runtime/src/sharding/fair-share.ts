/**
 * Returns the number of shards that `identity` should hold: shards are divided as equally as possible, and the first members by
 * name get the remainder. The members may temporarily have different views of each other; the Leases decide which member holds a
 * shard.
 */
export function fairShare(identity: string, members: readonly string[], shards: number): number {
  const sorted = [...new Set([...members, identity])].sort();
  const base = Math.floor(shards / sorted.length);
  return sorted.indexOf(identity) < shards % sorted.length ? base + 1 : base;
}
