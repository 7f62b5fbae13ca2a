import { RE2JS } from 're2js';

export interface Match {
  readonly start: number;
  readonly end: number;
  /** The whole match, followed by the groups. A group that did not participate is undefined. */
  readonly groups: readonly (string | undefined)[];
}

/** An RE2 regular expression, as in Go. Takes linear time for every pattern. */
export interface RegularExpression {
  test(text: string): boolean;
  /** Returns non-overlapping matches from left to right, at most `limit`. */
  matchesOf(text: string, limit?: number): readonly Match[];
}

const cacheEntriesMax = 256;
const cache = new Map<string, RegularExpression>();

/** Compiles a pattern. Throws if it is invalid. */
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
