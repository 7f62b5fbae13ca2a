import type { Schema } from '../../schema/index.js';

const TOKEN = /'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/gs;

/** Converts `.spec.names['a']` to the error path `spec.names[a]`. Undefined if the schema has no such field. */
export function normalizeFieldPath(schema: Schema, path: string): string | undefined {
  const tokens = path.match(TOKEN) ?? [];
  let node: Schema | undefined = schema;
  let printed = '';
  let index = 0;
  while (index < tokens.length) {
    const step = readStep(tokens, index);
    if (step === undefined || node === undefined) return undefined;
    const { properties, additionalProperties }: Schema = node;
    if (properties !== undefined) {
      if (!Object.hasOwn(properties, step.name)) return undefined;
      printed += printed === '' ? step.name : `.${step.name}`;
      node = properties[step.name];
    } else {
      if (additionalProperties === undefined || additionalProperties === false) return undefined;
      printed += `[${step.name}]`;
      node = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    }
    index = step.next;
  }
  return printed;
}

function readStep(
  tokens: readonly string[],
  index: number,
): { readonly name: string; readonly next: number } | undefined {
  const name = tokens[index + 1];
  if (name === undefined) return undefined;
  if (tokens[index] === '.') return { name, next: index + 2 };
  const isQuoted = name.length >= 2 && name.startsWith("'") && name.endsWith("'");
  if (tokens[index] !== '[' || !isQuoted || tokens[index + 2] !== ']') return undefined;
  return { name: unquote(name), next: index + 3 };
}

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gs, (_found, letter: string) => ESCAPES[letter] ?? letter);
}
