import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatMicroTime,
  formatTime,
  isTime,
  normalizeMicroTime,
  normalizeTime,
  parseTime,
  tryParseDate,
  tryParseTimeNanos,
} from './time.js';

describe('time', () => {
  it('keeps six digits of a MicroTime and drops the fraction of a Time', () => {
    const ms = Date.UTC(2024, 0, 2, 3, 4, 5, 6);
    expect(formatTime(ms)).toBe('2024-01-02T03:04:05Z');
    expect(formatMicroTime(ms)).toBe('2024-01-02T03:04:05.006000Z');
    expect(normalizeMicroTime('2024-01-02T03:04:05.000006Z')).toBe('2024-01-02T03:04:05.000006Z');
    expect(normalizeMicroTime('2024-01-02T03:04:05.000006+01:00')).toBe('2024-01-02T02:04:05.000006Z');
    expect(normalizeTime('2024-01-02T03:04:05.9Z')).toBe('2024-01-02T03:04:05Z');
    expect(normalizeTime('2024-01-01T00:30:00+01:00')).toBe('2023-12-31T23:30:00Z');
    expect(formatTime(-1)).toBe('1969-12-31T23:59:59Z');
  });

  const failures = [
    ['', 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
    ['yesterday', 'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"'],
    ['2024-01-02', 'parsing time "2024-01-02" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'],
    ['2024-13-02T00:00:00Z', 'parsing time "2024-13-02T00:00:00Z": month out of range'],
    ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
    ['2024-01-02T24:00:00Z', 'parsing time "2024-01-02T24:00:00Z": hour out of range'],
    ['2024-01-02T00:60:00Z', 'parsing time "2024-01-02T00:60:00Z": minute out of range'],
    ['2024-01-02T00:00:60Z', 'parsing time "2024-01-02T00:00:60Z": second out of range'],
    ['2024-01-02T00:00:00+25:00', 'parsing time "2024-01-02T00:00:00+25:00": time zone offset hour out of range'],
    ['2024-01-02T00:00:00+01:61', 'parsing time "2024-01-02T00:00:00+01:61": time zone offset minute out of range'],
    ['2024-01-02T00:00:00ZZ', 'parsing time "2024-01-02T00:00:00ZZ": extra text: "Z"'],
    [
      '2024-01-02T00:00:00',
      'parsing time "2024-01-02T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
    ],
  ] as const;
  it.each(failures)("rejects %j with Go's message", (text, message) => {
    expect(() => parseTime(text)).toThrow(message);
    expect(isTime(text)).toBe(false);
  });

  it('rejects a MicroTime without six digits', () => {
    expect(() => normalizeMicroTime('2024-01-02T03:04:05Z')).toThrow('cannot parse "Z" as ".000000"');
    expect(() => normalizeMicroTime('2024-01-02T03:04:05.123Z')).toThrow('cannot parse ".123Z" as ".000000"');
  });

  it('keeps nanoseconds and truncates smaller fractions', () => {
    expect(tryParseTimeNanos('1970-01-01T00:00:01.0000000019Z')).toBe(1_000_000_001n);
    expect(tryParseTimeNanos('1969-12-31T23:59:59.5Z')).toBe(-500_000_000n);
    expect(tryParseTimeNanos('yesterday')).toBeUndefined();
  });

  it('parses only dates that exist in the calendar', () => {
    expect(tryParseDate('2024-02-29')).toBe(Date.UTC(2024, 1, 29));
    for (const text of ['2023-02-29', '2024-13-01', '2024-00-01', '2024-01-00', '2024-1-1', '2024-01-01T00:00:00Z'])
      expect(tryParseDate(text)).toBeUndefined();
  });

  it('round-trips', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
        (date) => {
          expect(parseTime(date.toISOString())).toBeCloseTo(date.getTime(), 3);
          expect(parseTime(formatTime(date.getTime()))).toBe(Math.floor(date.getTime() / 1000) * 1000);
          expect(normalizeTime(formatTime(date.getTime()))).toBe(formatTime(date.getTime()));
          expect(normalizeMicroTime(formatMicroTime(date.getTime()))).toBe(formatMicroTime(date.getTime()));
        },
      ),
    );
  });
});
