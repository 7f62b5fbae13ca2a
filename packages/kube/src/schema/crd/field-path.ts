import { getOwn } from '../model/own-property.js';
import type { Schema } from '../schema.js';

export type FieldPath =
  | { readonly keys: readonly string[]; readonly schema: Schema | undefined }
  | { readonly error: string };

const token = /'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/gs;

/** Resolves a path such as `.spec.names['a.b']` in a schema. Paths into lists are not supported. */
export function resolveFieldPath(schema: Schema, path: string, allowBrackets: boolean): FieldPath {
  const tokens = path.match(token) ?? [];
  const keys: string[] = [];
  let current: Schema | undefined = schema;
  for (let index = 0; index < tokens.length; ) {
    const step = readStep(tokens, index, allowBrackets);
    if ('error' in step) return step;
    const next: Schema | undefined | 'none' = childOf(current, step.key);
    if (next === 'none') return { error: 'does not refer to a valid field' };
    keys.push(step.key);
    current = next;
    index = step.end;
  }
  return { keys, schema: current };
}

type Step = { readonly key: string; readonly end: number } | { readonly error: string };

function readStep(tokens: readonly string[], index: number, allowBrackets: boolean): Step {
  const first = tokens[index];
  const second = tokens[index + 1];
  if (first !== '.' && first !== '[') return { error: `expected [ or . but got: ${first}` };
  if (first === '[' && !allowBrackets) return { error: 'array notation is not allowed' };
  if (second === undefined) return { error: 'unexpected end of JSON path' };
  return first === '.' ? { key: second, end: index + 2 } : readBrackets(second, tokens[index + 2], index);
}

function readBrackets(quoted: string, close: string | undefined, index: number): Step {
  if (quoted.length < 2 || !quoted.startsWith("'") || !quoted.endsWith("'")) {
    return { error: `expected single quoted string but got ${quoted}` };
  }
  if (close === undefined) return { error: 'unexpected end of JSON path' };
  if (close !== ']') return { error: `expected ] but got ${close}` };
  return { key: quoted.slice(1, -1).replace(/\\(.)/gs, '$1'), end: index + 3 };
}

function childOf(schema: Schema | undefined, key: string): Schema | undefined | 'none' {
  if (schema?.properties !== undefined) return getOwn(schema.properties, key) ?? 'none';
  if (typeof schema?.additionalProperties === 'object') return schema.additionalProperties;
  return schema?.additionalProperties === true ? undefined : 'none';
}
