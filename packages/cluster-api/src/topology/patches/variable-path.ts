import type { JsonValue } from '@slipway/kube';

/** Reports that a patch references a variable, or a field of a variable, that does not exist. */
class VariableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'VariableError';
  }
}

export type Variables = ReadonlyMap<string, JsonValue>;

interface Segment {
  readonly name: string;
  readonly index?: number;
}

/** Returns the value at a path such as `name.field.list[0].field`. */
export function variableAt(variables: Variables, path: string): JsonValue {
  const [first = '', ...rest] = path.split('.');
  const start = segmentOf(first, path);
  const root = variables.get(start.name);
  if (root === undefined) throw new VariableError(`variable "${first}" does not exist`);
  let value = elementOf(root, start, path);
  for (const text of rest) {
    const segment = segmentOf(text, path);
    const isHolder = typeof value === 'object' && value !== null && !Array.isArray(value);
    const member: JsonValue | undefined =
      isHolder && Object.hasOwn(value as object, segment.name)
        ? (value as Readonly<Record<string, JsonValue>>)[segment.name]
        : undefined;
    if (member === undefined)
      throw new VariableError(`variable "${path}" does not exist: failed to lookup segment "${segment.name}"`);
    value = elementOf(member, segment, path);
  }
  return value;
}

function segmentOf(text: string, path: string): Segment {
  const open = text.indexOf('[');
  const close = text.indexOf(']');
  if (open < 0 && close < 0) return { name: text };
  const inside = text.slice(open + 1, close);
  if (open < 0 || close < open || !/^\d{1,9}$/.test(inside))
    throw new VariableError(`variable "${path}" is invalid: failed to parse path segment "${text}"`);
  return { name: text.slice(0, open), index: Number(inside) };
}

function elementOf(value: JsonValue, { name, index }: Segment, path: string): JsonValue {
  if (index === undefined) return value;
  if (!Array.isArray(value)) throw new VariableError(`variable "${path}" is invalid: "${name}" is not an array`);
  const element = value[index] as JsonValue | undefined;
  if (element === undefined)
    throw new VariableError(`variable "${path}" is invalid: array does not have index ${index}`);
  return element;
}
