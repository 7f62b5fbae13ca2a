import { formatRequirement, type LabelRequirement, type Labels, matchesRequirement } from './label-requirement.js';

/** All of its requirements must hold. Made once for a request, used for every object. */
export class LabelSelector {
  /** Sorted by key. */
  readonly requirements: readonly LabelRequirement[];

  constructor(
    requirements: readonly LabelRequirement[],
    /** False for the selector that selects nothing at all: an absent metav1.LabelSelector. */
    readonly selectable = true,
  ) {
    this.requirements = [...requirements].sort((left, right) =>
      left.key === right.key ? 0 : left.key < right.key ? -1 : 1,
    );
  }

  /** Whether it lets everything through. */
  get empty(): boolean {
    return this.selectable && this.requirements.length === 0;
  }

  matches(labels: Labels | null | undefined): boolean {
    if (!this.selectable) return false;
    const known = labels ?? noLabels;
    for (const requirement of this.requirements) if (!matchesRequirement(requirement, known)) return false;
    return true;
  }

  /** The one value that `key` must have, when there is one: what an index can answer. */
  exactValue(key: string): string | undefined {
    const requirement = this.requirements.find((candidate) => candidate.key === key);
    if (requirement === undefined || !['=', '==', 'in'].includes(requirement.operator)) return undefined;
    return requirement.values.length === 1 ? requirement.values[0] : undefined;
  }

  toString(): string {
    return this.requirements.map(formatRequirement).join(',');
  }
}

const noLabels: Labels = Object.freeze({});

export const everyLabel = new LabelSelector([]);
export const noLabel = new LabelSelector([], false);
