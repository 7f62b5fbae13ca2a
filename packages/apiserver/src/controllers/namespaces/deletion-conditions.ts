import { list, text } from '../../kinds/shared/fields.js';

/** The remaining content of a namespace after a round of deletions. */
export interface Remaining {
  /** Number of remaining objects by `<resource>.<group>`. The group of core kinds is empty: `configmaps.`. */
  readonly instances: ReadonlyMap<string, number>;
  readonly finalizers: ReadonlyMap<string, number>;
  readonly failures: readonly string[];
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

type Finding = Pick<Condition, 'reason' | 'message'>;

/** Conditions of a namespace that is being deleted, in upstream's order. `fine` is the message if there is no problem. */
const conditions: readonly {
  readonly type: string;
  readonly healthy: Finding;
  findProblem?(remaining: Remaining): Finding | undefined;
}[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    healthy: { reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    healthy: { reason: 'ParsedGroupVersions', message: 'All legacy kube types successfully parsed' },
  },
  {
    type: 'NamespaceDeletionContentFailure',
    healthy: {
      reason: 'ContentDeleted',
      message: 'All content successfully deleted, may be waiting on finalization',
    },
    findProblem: ({ failures }) =>
      found(failures, {
        reason: 'ContentDeletionFailed',
        message: `Failed to delete all resource types, ${failures.length} remaining: ${[...failures].sort().join(', ')}`,
      }),
  },
  {
    type: 'NamespaceContentRemaining',
    healthy: { reason: 'ContentRemoved', message: 'All content successfully removed' },
    findProblem({ instances }) {
      const texts = [...instances].map(([resource, count]) => `${resource} has ${count} resource instances`);
      const message = `Some resources are remaining: ${texts.sort().join(', ')}`;
      return found(texts, { reason: 'SomeResourcesRemain', message });
    },
  },
  {
    type: 'NamespaceFinalizersRemaining',
    healthy: { reason: 'ContentHasNoFinalizers', message: 'All content-preserving finalizers finished' },
    findProblem({ finalizers }) {
      const texts = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`);
      const message = `Some content in the namespace has finalizers remaining: ${texts.sort().join(', ')}`;
      return found(texts, { reason: 'SomeFinalizersRemain', message });
    },
  },
];

function found(items: readonly unknown[], finding: Finding): Finding | undefined {
  return items.length === 0 ? undefined : finding;
}

/** Returns the desired conditions of the namespace, or undefined if they are up to date. Other conditions are kept. */
export function deletionConditions(present: unknown, remaining: Remaining, now: string): unknown[] | undefined {
  const result: unknown[] = [...list(present)];
  let changed = false;
  for (const condition of conditions) {
    const { type } = condition;
    const finding = condition.findProblem?.(remaining);
    const desired = { status: finding === undefined ? 'False' : 'True', ...(finding ?? condition.healthy) };
    const index = list(result).findIndex((other) => other.type === type);
    const before = list(result)[index];
    if (before === undefined) result.push({ type, lastTransitionTime: now, ...desired });
    else if (before.status === desired.status && before.reason === desired.reason && before.message === desired.message)
      continue;
    else {
      const kept = before.status === desired.status ? text(before.lastTransitionTime) : now;
      result[index] = { ...before, ...desired, lastTransitionTime: kept };
    }
    changed = true;
  }
  return changed ? result : undefined;
}
