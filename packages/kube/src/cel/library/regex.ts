import { RE2JS } from 're2js';
import type { Value } from '../values/index.js';
import { ArrayList, Failure, work } from '../values/index.js';
import type { Library } from './function.js';
import { asInt, asText } from './function.js';

const CACHE_MAX = 256;
const cache = new Map<string, RE2JS | Failure>();

/** Compiles a pattern. Results are cached: a pattern is almost always a constant of the rule or one of a few values. */
export function compileRegex(pattern: string): RE2JS | Failure {
  const cached = cache.get(pattern);
  if (cached !== undefined) return cached;
  if (cache.size >= CACHE_MAX) cache.delete(cache.keys().next().value ?? '');
  const compiled = tryCompile(pattern);
  cache.set(pattern, compiled);
  return compiled;
}

function tryCompile(pattern: string): RE2JS | Failure {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return new Failure(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Charges for a match. Its time is linear in the text length times the program size, and a short pattern such as `a{1000}` has a
 * large program.
 */
function charge(regex: RE2JS, text: string): void {
  work(Math.ceil((text.length * regex.programSize()) / 64));
}

export function matches(text: Value = null, pattern: Value = null): Value {
  const regex = compileRegex(asText(pattern));
  if (regex instanceof Failure) return regex;
  charge(regex, asText(text));
  return regex.matcher(asText(text)).find();
}

function find(text: Value = null, pattern: Value = null): Value {
  const found = findAllTexts(asText(text), asText(pattern), 1);
  return found instanceof Failure ? found : (found[0] ?? '');
}

function findAllTexts(text: string, pattern: string, limit: number): string[] | Failure {
  const regex = compileRegex(pattern);
  if (regex instanceof Failure) return new Failure(`Illegal regex: ${regex.message}`);
  charge(regex, text);
  const found: string[] = [];
  const matcher = regex.matcher(text);
  while (found.length < limit && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

function findAll(text: Value = null, pattern: Value = null, limit: Value = -1n): Value {
  const count = asInt(limit);
  const found = findAllTexts(asText(text), asText(pattern), count < 0n ? Number.POSITIVE_INFINITY : Number(count));
  return found instanceof Failure ? found : new ArrayList(found);
}

export const regexLibrary: Library = {
  find: [['string_find_string', 'string.(string): string', find]],
  findAll: [
    ['string_find_all_string', 'string.(string): list(string)', findAll],
    ['string_find_all_string_int', 'string.(string, int): list(string)', findAll],
  ],
};
