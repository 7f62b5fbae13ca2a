import { RE2JS } from 're2js';

export interface Match {
  readonly start: number;
  readonly end: number;
  /** The whole match first; undefined for a group that took no part. */
  readonly groups: readonly (string | undefined)[];
}

/** A regular expression of RE2, which Go has: linear in the text, whatever the pattern. */
export interface RegularExpression {
  test(text: string): boolean;
  /** Matches from left to right that do not overlap, at most so many. */
  matchesOf(text: string, limit?: number): readonly Match[];
}

const cacheEntriesMax = 256;
const cache = new Map<string, RegularExpression>();

/** Throws when the pattern is none. */
export function compileRegularExpression(pattern: string): RegularExpression {
  let expression = cache.get(pattern);
  if (expression === undefined) {
    expression = expressionOf(RE2JS.compile(pattern));
    if (cache.size >= cacheEntriesMax) cache.clear();
    cache.set(pattern, expression);
  }
  return expression;
}

function expressionOf(compiled: RE2JS): RegularExpression {
  return {
    test: (text) => compiled.matcher(text).find(),
    matchesOf(text, limit = Number.POSITIVE_INFINITY) {
      const found: Match[] = [];
      const matcher = compiled.matcher(text);
      while (found.length < limit && matcher.find()) {
        const groups = Array.from(
          { length: matcher.groupCount() + 1 },
          (_, index) => matcher.group(index) ?? undefined,
        );
        found.push({ start: matcher.start(), end: matcher.end(), groups });
      }
      return found;
    },
  };
}
