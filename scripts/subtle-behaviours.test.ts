import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

// docs/internals/subtle-behaviours.md says which test holds each behaviour that naive controllers get wrong. Here it is held
// against the titles of the tests, so that neither can change without the other.
const root = new URL('..', import.meta.url).pathname;
const document = 'docs/internals/subtle-behaviours.md';

/** A table of the page, and how titles name its rows. */
interface Page {
  readonly name: string;
  readonly count: number;
  readonly places: readonly string[];
  readonly row: RegExp;
  readonly title: RegExp;
  readonly odd: RegExp;
}

const pages: readonly Page[] = [
  {
    name: 'of Cluster API',
    count: 54,
    places: [
      'packages/cluster-api',
      'packages/kubeadm',
      'packages/dev',
      'packages/runtime',
      'packages/clusterctl',
      'test',
    ],
    row: /^\| (\d+) \| ([^|]+) \| ([^|]+) \|$/gm,
    title: /^14\.\d+(?:, 14\.\d+)*: /,
    odd: /^14\.\d|\b(?:subtle|behaviours?) \d|^\d+\. /,
  },
  {
    name: 'of the operators',
    count: 54,
    places: ['packages/operator', 'test/operator'],
    row: /^\| operators (\d+) \| ([^|]+) \| ([^|]+) \|$/gm,
    title: /^operators \d+(?:, (?:operators )?\d+)*: /,
    odd: /\boperators \d/,
  },
];

/** Titles of tests, of groups of them, and of rows of their tables. */
const title = /(?:\b(?:it|describe)\(|\]\)\(|\b(?:it|describe)\.each\([^\n]*\)\(|\bname: )\s*(['"`])(.*?)\1/g;

function read(path: string): string {
  return readFileSync(`${root}/${path}`, 'utf8');
}

interface Row {
  readonly number: number;
  readonly files: readonly string[];
  readonly reason: string;
}

function rows({ row }: Page): Row[] {
  return [...read(document).matchAll(row)].map(([, number = '', , where = '']) => ({
    number: Number(number),
    files: [...where.matchAll(/`([^`]+\.ts)`/g)].map(([, path = '']) => path),
    reason: /^not here: (.+)$/.exec(where.trim())?.[1] ?? '',
  }));
}

/** The files that test a behaviour, by its number; and titles that look as if they did and are of another form. */
function tested(page: Page): { files: Map<number, Set<string>>; odd: string[] } {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...page.places], {
    cwd: root,
    encoding: 'utf8',
  });
  const paths = listed
    .split('\n')
    .filter((path) => /\.test\.ts$|\/test\/.*\.ts$/.test(path) && existsSync(`${root}/${path}`));
  const files = new Map<number, Set<string>>();
  const odd: string[] = [];
  for (const path of paths)
    for (const [, , text = ''] of read(path).matchAll(title)) {
      const found = page.title.exec(withoutRequirements(text))?.[0];
      if (found === undefined) {
        if (page.odd.test(text)) odd.push(`${path}: ${text}`);
        continue;
      }
      for (const [, number] of found.matchAll(/(?:14\.|operators |, )(\d+)(?=[,:])/g)) {
        const known = files.get(Number(number)) ?? new Set();
        files.set(Number(number), known.add(path));
      }
    }
  return { files, odd };
}

/** Titles may name a requirement first. */
function withoutRequirements(text: string): string {
  return text.replace(/^(?:R\d+, )+(?=operators)/, '');
}

describe.each(pages)('subtle behaviours $name', (page) => {
  const table = rows(page);
  const { files, odd } = tested(page);

  it('are all in the table, once, with tests or with a reason to have none', () => {
    expect(table.map(({ number }) => number)).toEqual(Array.from({ length: page.count }, (_, index) => index + 1));
    const without = table.filter((row) => (row.files.length === 0) === (row.reason === ''));
    expect(without).toEqual([]);
  });

  it('are tested where the table says, and nowhere else', () => {
    const said = table.flatMap((row) => row.files.map((path) => `${row.number} ${path}`)).sort();
    const found = [...files].flatMap(([number, paths]) => [...paths].map((path) => `${number} ${path}`)).sort();
    expect(said).toEqual(found);
  });

  it('are named in one way', () => {
    expect(odd).toEqual([]);
  });
});
