import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type JsonObject, parseJsonValue } from '../json/index.js';
import { formatDuration } from '../text/duration.js';
import { environment } from './checker/index.js';
import { estimateCost } from './cost/estimate.js';
import { compileProgram, ProgramError } from './program/index.js';
import { dynType, typeString } from './types/index.js';
import type { Value } from './values/index.js';
import * as values from './values/index.js';

/** Recorded results of cel-go 0.26 with the environment of kube-apiserver 1.36.3. */
interface Row {
  readonly expression: string;
  readonly value?: string;
  readonly error?: string;
  readonly issues?: string;
  readonly type?: string;
  readonly cost?: number;
  readonly estimate?: string;
}

function fixture<T>(name: string): T {
  return parseJsonValue(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url))) as unknown as T;
}

function jsonNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return 'double()';
  return `double(${Object.is(value, -0) ? '-0' : JSON.stringify(value)})`;
}

function show(value: Value): string {
  if (value === null || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return jsonNumber(value);
  if (value instanceof values.Uint) return `${value.value}u`;
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('hex')}`;
  if (value instanceof values.Duration) return `duration(${formatDuration(value.nanoseconds)})`;
  if (value instanceof values.Timestamp) return `timestamp(${values.formatTimestamp(value.nanoseconds)})`;
  return showObject(value);
}

function showObject(value: Value): string {
  if (value instanceof values.Optional) return value.value === undefined ? 'none' : `optional(${show(value.value)})`;
  if (value instanceof values.TypeValue) return `type(${value.type.name})`;
  if (value instanceof values.CelList) return `[${[...value].map(show).join(', ')}]`;
  if (value instanceof values.CelMap) {
    const entries = [...value.keys()].map((key) => [show(key), show(value.find(key) ?? null)] as const);
    return JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
  }
  return value instanceof values.Opaque ? `${value.type.name}<>` : '?';
}

const variables = fixture<JsonObject>('variables');
const env = environment(Object.keys(variables).map((name) => [name, dynType] as const));
const bindings = new Map(Object.entries(variables).map(([name, json]) => [name, values.fromJson(json)] as const));

/**
 * Rounds an estimate: upstream uses unsigned 64-bit integers and this package doubles, so the last digits of the largest
 * estimates differ.
 */
function rounded(estimate: string): string {
  return estimate.replace(/\d{16,}/g, (digits) => Number(digits).toPrecision(10));
}

function answer(expression: string): Omit<Row, 'expression'> {
  try {
    const program = compileProgram(expression, env);
    const { value, cost } = program.run(bindings);
    const { min, max } = estimateCost(program.checked);
    const found = { type: typeString(program.resultType), cost, estimate: rounded(`${min}-${max}`) };
    return value instanceof values.Failure ? { ...found, error: value.message } : { ...found, value: show(value) };
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    return error.stage === 'compilation' ? { issues: error.message } : { error: `program: ${error.message}` };
  }
}

describe('CEL expressions', () => {
  it.each(fixture<Row[]>('expressions'))(
    'evaluates like kube-apiserver: $expression',
    ({ expression, ...recorded }) => {
      const found = answer(expression);
      // An expression whose program cannot be planned has no cost, but upstream still reports its type.
      const expected = recorded.error?.startsWith('program: ') === true ? { error: recorded.error } : recorded;
      expect(found).toEqual({
        ...expected,
        ...(expected.estimate === undefined ? {} : { estimate: rounded(expected.estimate) }),
      });
    },
  );
});
