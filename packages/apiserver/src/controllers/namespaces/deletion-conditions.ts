import { list, text } from '../../kinds/shared/fields.js';

/** The remaining content of a namespace after a round of deletions. */
export interface Remaining {
  /** By `<resource>.<group>`, the group empty for core kinds: `configmaps.`. */
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

/** In upstream's order; `fine` is the message of a condition without a problem. */
const conditions: readonly {
  readonly type: string;
  readonly fine: Finding;
  trouble?(remaining: Remaining): Finding | undefined;
}[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    fine: { reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    fine: { reason: 'ParsedGroupVersions', message: 'All legacy kube types successfully parsed' },
  },
  {
    type: 'NamespaceDeletionContentFailure',
    fine: {
      reason: 'ContentDeleted',
      message: 'All content successfully deleted, may be waiting on finalization',
    },
    trouble: ({ failures }) =>
      found(failures, {
        reason: 'ContentDeletionFailed',
        message: `Failed to delete all resource types, ${failures.length} remaining: ${[...failures].sort().join(', ')}`,
      }),
  },
  {
    type: 'NamespaceContentRemaining',
    fine: { reason: 'ContentRemoved', message: 'All content successfully removed' },
    trouble({ instances }) {
      const texts = [...instances].map(([resource, count]) => `${resource} has ${count} resource instances`);
      const message = `Some resources are remaining: ${texts.sort().join(', ')}`;
      return found(texts, { reason: 'SomeResourcesRemain', message });
    },
  },
  {
    type: 'NamespaceFinalizersRemaining',
    fine: { reason: 'ContentHasNoFinalizers', message: 'All content-preserving finalizers finished' },
    trouble({ finalizers }) {
      const texts = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`);
      const message = `Some content in the namespace has finalizers remaining: ${texts.sort().join(', ')}`;
      return found(texts, { reason: 'SomeFinalizersRemain', message });
    },
  },
];

function found(items: readonly unknown[], finding: Finding): Finding | undefined {
  return items.length === 0 ? undefined : finding;
}

/** The desired conditions of the namespace, or undefined if they are up to date. Other conditions are kept. */
export function deletionConditions(present: unknown, remaining: Remaining, now: string): unknown[] | undefined {
  const result: unknown[] = [...list(present)];
  let changed = false;
  for (const condition of conditions) {
    const { type } = condition;
    const finding = condition.trouble?.(remaining);
    const wanted = { status: finding === undefined ? 'False' : 'True', ...(finding ?? condition.fine) };
    const index = list(result).findIndex((other) => other.type === type);
    const before = list(result)[index];
    if (before === undefined) result.push({ type, lastTransitionTime: now, ...wanted });
    else if (before.status === wanted.status && before.reason === wanted.reason && before.message === wanted.message)
      continue;
    else {
      const kept = before.status === wanted.status ? text(before.lastTransitionTime) : now;
      result[index] = { ...before, ...wanted, lastTransitionTime: kept };
    }
    changed = true;
  }
  return changed ? result : undefined;
}
