import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const text = readFileSync(`${root}/docs/reference/openshift.md`, 'utf8');
const rows = [...text.matchAll(/^\| R(\d+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, number = '', , where = '']) => ({
  number: Number(number),
  tests: [...where.matchAll(/`([^`]+\.ts)` "([^"]+)"/g)].map(([, path = '', title = '']) => ({ path, title })),
  reason: /^not here: (.+)$/.exec(where.trim())?.[1] ?? '',
}));

function hasTest({ path, title }: { readonly path: string; readonly title: string }): boolean {
  const file = `${root}/${path}`;
  return existsSync(file) && readFileSync(file, 'utf8').includes(`'${title}'`);
}

it('lists existing tests or a reason for every requirement of the OpenShift integration', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 47 }, (_, index) => index + 1));
  expect(rows.filter(({ tests, reason }) => (tests.length === 0) === (reason === ''))).toEqual([]);
  expect(rows.flatMap(({ tests }) => tests).filter((test) => !hasTest(test))).toEqual([]);
});
