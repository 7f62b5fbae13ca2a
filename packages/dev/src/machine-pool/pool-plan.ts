/** The properties of a machine that scaling decisions use. */
export interface PoolMember {
  readonly name: string;
  readonly isUpToDate: boolean;
  readonly isReady: boolean;
  readonly isDeleting: boolean;
}

export interface PoolPlan {
  readonly create: number;
  readonly delete: readonly string[];
}

/**
 * Plans the next step towards the desired replicas of the desired version. Surges by one machine, and deletes outdated machines
 * only if enough others are ready.
 */
export function planPool(members: readonly PoolMember[], replicas: number): PoolPlan {
  const staying = members.filter(({ isDeleting }) => !isDeleting);
  const current = staying.filter(({ isUpToDate }) => isUpToDate);
  const outdated = staying.filter(({ isUpToDate }) => !isUpToDate);
  const create = Math.max(0, Math.min(replicas - current.length, replicas + 1 - staying.length));
  const ready = current.filter(({ isReady }) => isReady).length;
  const replaceable = Math.min(outdated.length, Math.max(0, ready + outdated.length - replicas));
  return {
    create,
    delete: [
      ...leastUseful(current, Math.max(0, current.length - replicas)),
      ...leastUseful(outdated, outdated.length === 0 ? 0 : replaceable),
    ],
  };
}

/** Returns the machines to delete first: those that are not ready, then by name, so that the order is deterministic. */
function leastUseful(members: readonly PoolMember[], count: number): string[] {
  return [...members]
    .sort((left, right) => Number(left.isReady) - Number(right.isReady) || (left.name < right.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}
