import { RE2JS } from 're2js';

/** Returns whether the text contains a match. Patterns are not anchored. Takes linear time. */
interface PatternMatcher {
  test(text: string): boolean;
}

export type CompiledPattern = { readonly matcher: PatternMatcher } | { readonly error: string };

// Maximum number of cached patterns: every user who may create a CRD can add some.
const cacheEntriesMax = 10_000;
const cache = new Map<string, CompiledPattern>();

/** Compiles an RE2 pattern: no look-around, no back-references, no catastrophic backtracking. */
export function compilePattern(pattern: string): CompiledPattern {
  const cached = cache.get(pattern);
  if (cached !== undefined) return cached;
  const compiled = compile(pattern);
  if (cache.size >= cacheEntriesMax) cache.clear();
  cache.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): CompiledPattern {
  try {
    return { matcher: RE2JS.compile(pattern) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
