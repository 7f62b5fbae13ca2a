import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

// docs/internals/subtle-behaviours.md lists the tests of each behaviour that naive controllers get wrong. This test compares the
// page with the titles of the tests, so that neither can change without the other.
const root = new URL('..', import.meta.url).pathname;
const document = 'docs/internals/subtle-behaviours.md';

interface Table {
  readonly name: string;
  readonly count: number;
  /** Pattern of a table row up to its number. */
  readonly row: string;
  /** Pattern of the end of a test title: the numbers of the behaviours, in brackets. */
  readonly numbers: RegExp;
  readonly odd: RegExp;
  readonly places: readonly string[];
}

const tables: readonly Table[] = [
  {
    name: 'subtle behaviours',
    count: 54,
    row: '',
    numbers: / \[14\.\d+(?:, 14\.\d+)*\]$/,
    odd: /^14\.\d|\[14\.|\b(?:subtle|behaviours?) \d|^\d+\. /,
    places: [
      'packages/cluster-api',
      'packages/kubeadm',
      'packages/dev',
      'packages/runtime',
      'packages/clusterctl',
      'test',
    ],
  },
  {
    name: 'subtle behaviours of the KVM provider',
    count: 41,
    row: 'kvm ',
    numbers: / \[kvm \d+(?:, \d+)*\]$/,
    odd: /^kvm \d|\[kvm \d/i,
    places: ['packages/kvm', 'packages/cli', 'test'],
  },
  {
    name: 'subtle behaviours of the operators',
    count: 54,
    row: 'operators ',
    // Requirement numbers may precede the behaviours.
    numbers: / \[(?:R\d+, )*operators \d+(?:, (?:operators )?\d+)*\]$/,
    odd: /\boperators \d/,
    places: ['packages/operator', 'packages/openshift', 'test/operator'],
  },
  {
    name: 'subtle behaviours of vSphere',
    count: 65,
    row: 'vsphere ',
    numbers: / \[vsphere \d+(?:, \d+)*\]$/,
    odd: /^vsphere \d|\[vsphere \d|\(\d+\)$/,
    places: ['packages/vsphere', 'packages/cli', 'test'],
  },
];

/** Matches titles of tests, describe blocks and table rows. */
const title = /(?:\b(?:it|describe)\(|\]\)\(|\b(?:it|describe)\.each\([^\n]*\)\(|\bname: )\s*(['"`])(.*?)\1/g;

function read(path: string): string {
  return readFileSync(`${root}/${path}`, 'utf8');
}

interface Row {
  readonly number: number;
  readonly files: readonly string[];
  readonly reason: string;
}

function rows({ row }: Table): Row[] {
  const pattern = new RegExp(`^\\| ${row}(\\d+) \\| ([^|]+) \\| ([^|]+) \\|$`, 'gm');
  return [...read(document).matchAll(pattern)].map(([, number = '', , where = '']) => ({
    number: Number(number),
    files: [...where.matchAll(/`([^`]+\.ts)`/g)].map(([, path = '']) => path),
    reason: /^not here: (.+)$/.exec(where.trim())?.[1] ?? '',
  }));
}

/** Returns the files that test a behaviour, by number, and titles that look like such tests but have another form. */
function tested({ numbers, odd: hasOtherForm, places }: Table): { files: Map<number, Set<string>>; odd: string[] } {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...places], {
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
      const found = numbers.exec(text)?.[0];
      if (found === undefined) {
        if (hasOtherForm.test(text)) odd.push(`${path}: ${text}`);
        continue;
      }
      for (const [, number] of found.replaceAll('14.', ' ').matchAll(/ (\d+)/g)) {
        const known = files.get(Number(number)) ?? new Set();
        files.set(Number(number), known.add(path));
      }
    }
  return { files, odd };
}

describe.each(tables)('$name', (kind) => {
  const table = rows(kind);
  const { files, odd } = tested(kind);

  it('lists every behaviour once, with tests or with a reason to have none', () => {
    expect(table.map(({ number }) => number)).toEqual(Array.from({ length: kind.count }, (_, index) => index + 1));
    const without = table.filter((row) => (row.files.length === 0) === (row.reason === ''));
    expect(without).toEqual([]);
  });

  it('has tests for each behaviour in exactly the listed files', () => {
    const documented = table.flatMap((row) => row.files.map((path) => `${row.number} ${path}`)).sort();
    const found = [...files].flatMap(([number, paths]) => [...paths].map((path) => `${number} ${path}`)).sort();
    expect(documented).toEqual(found);
  });

  it('uses one form of title for tests of behaviours', () => {
    expect(odd).toEqual([]);
  });
});
