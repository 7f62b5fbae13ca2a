import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

// docs/reference/kvm.md lists the tests of each requirement of the provider's design, or the reason why it has none.
const count = 67;
const root = new URL('..', import.meta.url).pathname;
const page = readFileSync(`${root}/docs/reference/kvm.md`, 'utf8');
const rows = [...page.matchAll(/^\| (\d+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, number = '', , where = '']) => ({
  number: Number(number),
  files: [...where.matchAll(/`([^`]+\.test\.ts)`(?: \("([^"]+)"\))?/g)].map(([, path = '', title = '']) => ({
    path,
    title,
  })),
  reason: /^not here: (.+)$/.exec(where.trim())?.[1] ?? '',
}));

describe('requirements of the KVM provider', () => {
  it('lists all requirements in order', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  });

  it('lists existing tests or a reason for each requirement', () => {
    const wrong = rows.filter(
      ({ files, reason }) =>
        (files.length === 0) === (reason === '') || files.some(({ path }) => !existsSync(`${root}/${path}`)),
    );
    expect(wrong).toEqual([]);
  });

  it('refers to tests, or rows of their tables, by existing titles', () => {
    const missing = rows.flatMap(({ number, files }) =>
      files
        .filter(({ path, title }) => title === '' || !titlesIn(path).some((each) => each.includes(title)))
        .map(({ path, title }) => `${number}: ${path} "${title}"`),
    );
    expect(missing).toEqual([]);
  });
});

function titlesIn(path: string): string[] {
  const title = /(?:\b(?:it|describe)\(|\]\)\(|\)\)\(|\b(?:it|describe)\.each\([^\n]*\)\(|\bname: )\s*(['"`])(.*?)\1/g;
  return [...readFileSync(`${root}/${path}`, 'utf8').matchAll(title)].map(([, , text = '']) => text);
}
