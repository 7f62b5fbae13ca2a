import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  durationToMs,
  formatDuration,
  msToDuration,
  parseDuration,
  parseLooseDuration,
  tryParseDuration,
} from './duration.js';
import { formatAge, humanDuration } from './human-duration.js';

const second = 1_000_000_000n;

describe('durations', () => {
  it.each([
    ['0', 0n, '0s'],
    ['1h', 3600n * second, '1h0m0s'],
    ['90m', 5400n * second, '1h30m0s'],
    ['1h0.5s', 3600n * second + second / 2n, '1h0m0.5s'],
    ['-1.5s', -1_500_000_000n, '-1.5s'],
    ['+250ms', 250_000_000n, '250ms'],
    ['1.25us', 1_250n, '1.25µs'],
    ['100ns', 100n, '100ns'],
    ['.5s', 500_000_000n, '500ms'],
    ['1m', 60n * second, '1m0s'],
  ])('parses %s', (text, nanos, printed) => {
    expect(parseDuration(text)).toBe(nanos);
    expect(formatDuration(nanos)).toBe(printed);
  });

  it.each([
    ['', 'time: invalid duration ""'],
    ['-', 'time: invalid duration "-"'],
    ['x', 'time: invalid duration "x"'],
    ['.s', 'time: invalid duration ".s"'],
    ['10', 'time: missing unit in duration "10"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['1h ', 'time: unknown unit "h " in duration "1h "'],
    ['9223372036s9223372036s', 'time: invalid duration "9223372036s9223372036s"'],
  ])('rejects %j', (text, message) => {
    expect(() => parseDuration(text)).toThrow(message);
    expect(tryParseDuration(text)).toBeUndefined();
  });

  it.each([
    ['1h30m', 5400n * second],
    ['22 ns', 22n],
    ['3 days', 3n * 86_400n * second],
    ['2 Weeks and 1 hr', (14n * 86_400n + 3600n) * second],
    ['5 minutes', 300n * second],
    ['soon', undefined],
    ['3 fortnights', undefined],
    ['9223372036854775808 ns', undefined],
  ])('parses %j in the duration format of schemas', (text, nanos) => {
    expect(parseLooseDuration(text)).toBe(nanos);
  });

  it('round-trips durations', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (nanos) => {
        expect(parseDuration(formatDuration(nanos))).toBe(nanos);
      }),
    );
    expect(durationToMs(msToDuration(1_500))).toBe(1_500);
  });
});

describe('humanDuration', () => {
  const minute = 60;
  const hour = 3600;
  const day = 24 * hour;
  it.each([
    [-3, '<invalid>'],
    [-1, '0s'],
    [0, '0s'],
    [119, '119s'],
    [2 * minute, '2m'],
    [5 * minute + 3, '5m3s'],
    [10 * minute + 3, '10m'],
    [179 * minute, '179m'],
    [3 * hour, '3h'],
    [7 * hour + 59 * minute, '7h59m'],
    [47 * hour, '47h'],
    [2 * day, '2d'],
    [3 * day + 4 * hour, '3d4h'],
    [8 * day + hour, '8d'],
    [729 * day, '729d'],
    [730 * day, '2y'],
    [731 * day, '2y1d'],
    [8 * 365 * day, '8y'],
  ])('formats %i s as %s', (seconds, text) => {
    expect(humanDuration(seconds * 1000)).toBe(text);
  });

  it('prints <unknown> or <invalid> for absent, malformed and future timestamps', () => {
    const now = Date.UTC(2026, 0, 1);
    expect(formatAge(undefined, now)).toBe('<unknown>');
    expect(formatAge(null, now)).toBe('<unknown>');
    expect(formatAge('x', now)).toBe('<invalid>');
    expect(formatAge(7, now)).toBe('<invalid>');
    expect(formatAge('2026-01-01T00:00:05Z', now)).toBe('<invalid>');
    expect(formatAge('2025-12-31T23:55:00Z', now)).toBe('5m');
  });
});
