import type { JsonValue } from './value.js';

export interface StringifyJsonOptions {
  /** Number of spaces per level, as for `?pretty=true`. Defaults to the compact form. */
  readonly indent?: number;
}

/**
 * Encodes JSON with the native encoder, unless the value contains a bigint. Bigints (integers above 2^53) are rare, so trying the
 * native encoder first is cheaper than searching for them.
 */
export function stringifyJson(value: unknown, options: StringifyJsonOptions = {}): string {
  try {
    return JSON.stringify(value, undefined, options.indent) ?? 'null';
  } catch (error) {
    if (!(error instanceof TypeError) || !/BigInt/.test(error.message)) throw error;
  }
  const parts: string[] = [];
  write(value as JsonValue, parts, options.indent ?? 0, '\n');
  return parts.join('');
}

function write(value: JsonValue | undefined, parts: string[], indent: number, newline: string): void {
  if (typeof value === 'bigint') {
    parts.push(value.toString());
  } else if (typeof value !== 'object' || value === null) {
    parts.push(JSON.stringify(value) ?? 'null');
  } else {
    const isArray = Array.isArray(value);
    writeMembers(isArray ? writeItems(value) : writeEntries(value), isArray ? '[]' : '{}', parts, indent, newline);
  }
}

interface Member {
  readonly prefix: string;
  readonly value: JsonValue | undefined;
}

function writeItems(items: readonly JsonValue[]): Member[] {
  return items.map((value) => ({ prefix: '', value }));
}

function writeEntries(value: object): Member[] {
  return Object.entries(value as { [key: string]: JsonValue | undefined })
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => ({ prefix: `${JSON.stringify(key)}:`, value: member }));
}

function writeMembers(
  members: readonly Member[],
  brackets: string,
  parts: string[],
  indent: number,
  newline: string,
): void {
  if (members.length === 0) {
    parts.push(brackets);
    return;
  }
  const inner = newline + ' '.repeat(indent);
  parts.push(brackets.charAt(0));
  members.forEach((member, index) => {
    if (index > 0) parts.push(',');
    if (indent > 0) parts.push(inner);
    parts.push(member.prefix);
    if (indent > 0 && member.prefix !== '') parts.push(' ');
    write(member.value, parts, indent, inner);
  });
  if (indent > 0) parts.push(newline);
  parts.push(brackets.charAt(1));
}
