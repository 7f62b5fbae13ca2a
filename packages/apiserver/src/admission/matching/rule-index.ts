import type { AdmissionRequest } from '../../contract/index.js';
import type { Equivalents } from './equivalents.js';
import { type Rule, ruleConcerns } from './rule.js';

interface Ruled {
  readonly match: { readonly rules: readonly Rule[]; readonly equivalent: boolean };
}

const answersMax = 10_000;

/**
 * Indexes webhooks or policies by the requests they may match. Results per group, resource, subresource and operation are
 * cached until the set of entries or of served resources changes.
 */
export class RuleIndex<T extends Ruled> {
  readonly #entries: readonly T[];
  readonly #equivalents: Equivalents;
  readonly #answers = new Map<string, readonly T[]>();
  #generation = -1;

  constructor(entries: readonly T[], equivalents: Equivalents) {
    this.#entries = entries;
    this.#equivalents = equivalents;
  }

  /** Returns the webhooks or policies that may match the request, in their configured order. */
  candidates(request: AdmissionRequest): readonly T[] {
    if (this.#entries.length === 0) return this.#entries;
    if (this.#generation !== this.#equivalents.generation || this.#answers.size > answersMax) {
      this.#answers.clear();
      this.#generation = this.#equivalents.generation;
    }
    const { resource, subresource, operation } = request;
    const key = `${operation} ${resource.group}/${resource.resource}/${subresource}`;
    const cached = this.#answers.get(key);
    if (cached !== undefined) return cached;
    const found = this.#find(request);
    this.#answers.set(key, found);
    return found;
  }

  #find({ resource, subresource, operation }: AdmissionRequest): readonly T[] {
    const own = { group: resource.group, resource: resource.resource };
    const all = [own, ...this.#equivalents.viewsOf(own.group, own.resource).map((view) => view.resource)];
    return this.#entries.filter(({ match }) => {
      if (match.rules.length === 0) return true;
      const places = match.equivalent ? all : [own];
      return match.rules.some((rule) =>
        places.some((place) =>
          ruleConcerns(rule, { group: place.group, resource: place.resource, subresource, operation }),
        ),
      );
    });
  }
}
