import { formatRequirement, type LabelRequirement, type Labels, matchesRequirement } from './label-requirement.js';

/** A conjunction of requirements, created once per request and evaluated for every object. */
export class LabelSelector {
  /** The requirements, sorted by key. */
  readonly requirements: readonly LabelRequirement[];

  constructor(
    requirements: readonly LabelRequirement[],
    /** Whether the selector can match at all. False for an absent metav1.LabelSelector. */
    readonly selectable = true,
  ) {
    this.requirements = [...requirements].sort((left, right) =>
      left.key === right.key ? 0 : left.key < right.key ? -1 : 1,
    );
  }

  /** Whether the selector matches everything. */
  get empty(): boolean {
    return this.selectable && this.requirements.length === 0;
  }

  matches(labels: Labels | null | undefined): boolean {
    if (!this.selectable) return false;
    const known = labels ?? noLabels;
    for (const requirement of this.requirements) if (!matchesRequirement(requirement, known)) return false;
    return true;
  }

  /** Returns the only value that `key` may have, if there is one. Used for index lookups. */
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
