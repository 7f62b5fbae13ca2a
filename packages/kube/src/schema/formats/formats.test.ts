import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatCheckOf, recognisedFormat } from './index.js';

/** For each format, the strings that upstream accepts. */
interface Table {
  readonly texts: readonly string[];
  readonly table: Readonly<Record<string, readonly string[]>>;
}

const { texts, table } = JSON.parse(
  readFileSync(new URL('../fixtures/formats.json', import.meta.url), 'utf8'),
) as Table;

describe('formats', () => {
  it.each(Object.entries(table))('accepts the same strings as upstream for %s', (format, accepted) => {
    const check = formatCheckOf(format);
    expect(texts.filter((text) => check?.(text) === true)).toEqual(accepted);
  });

  it.each([
    ['string', 'date-time', 'date-time'],
    ['', 'uuid', 'uuid'],
    ['string', 'int32', ''],
    ['integer', 'int64', 'int64'],
    ['integer', 'double', ''],
    ['number', 'float', 'float'],
    ['object', 'date', ''],
    ['string', 'nonsense', ''],
    ['string', undefined, ''],
  ])('validates type %j with format %j as %j', (type, format, recognised) => {
    expect(recognisedFormat(type, format)).toBe(recognised);
  });

  it.each(Object.keys(table))('validates hostile strings in linear time: %s', (format) => {
    const check = formatCheckOf(format);
    const started = process.cpuUsage();
    for (const unit of ['1', 'a', 'a.', '1:', '(', ' ', '%', '"', '1 ', '-', '@', '=']) check?.(unit.repeat(300_000));
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000);
  });
});
