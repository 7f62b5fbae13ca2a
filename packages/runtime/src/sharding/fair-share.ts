/**
 * The number of shards that `identity` should hold: as equal as possible, the remainder to the first members by name.
 * Views may differ temporarily; the leases decide which member holds a shard.
 */
export function fairShare(identity: string, members: readonly string[], shards: number): number {
  const sorted = [...new Set([...members, identity])].sort();
  const base = Math.floor(shards / sorted.length);
  return sorted.indexOf(identity) < shards % sorted.length ? base + 1 : base;
}
