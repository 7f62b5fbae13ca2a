import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

// docs/reference/drivers.md lists each requirement with its test, or with the reason why it has none.
const root = new URL('..', import.meta.url).pathname;
const text = readFileSync(`${root}/docs/reference/drivers.md`, 'utf8');
const rows = [...text.matchAll(/^\| (drivers )?(\d+) \| [^|]+ \| ([^|]+) \|$/gm)].map(
  ([, subtle, number, where = '']) => ({
    subtle: subtle !== undefined,
    number: Number(number),
    files: [...where.matchAll(/`([^`]+\.ts)`/g)].map(([, path = '']) => path),
    reason: /^not (?:here|tested): .+/.test(where.trim()),
  }),
);

describe('requirements of the drivers', () => {
  it('lists all requirements, 1 to 99', () => {
    const numbers = rows.filter(({ subtle }) => !subtle).map(({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: 99 }, (_, place) => place + 1));
  });

  it('lists existing tests or a reason for each requirement', () => {
    const wrong = rows.filter(
      ({ files, reason }) => !reason && (files.length === 0 || !files.every((file) => existsSync(`${root}/${file}`))),
    );
    expect(wrong).toEqual([]);
  });

  it('refers to tests of subtle behaviours by number', () => {
    const incomplete = rows
      .filter(({ subtle, reason }) => subtle && !reason)
      .filter(
        ({ number, files }) =>
          !files.some((file) => new RegExp(`drivers ${number}[,\\]]`).test(readFileSync(`${root}/${file}`, 'utf8'))),
      )
      .map(({ number }) => number);
    expect(incomplete).toEqual([]);
  });
});
