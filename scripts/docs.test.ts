import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

const root = new URL('..', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));

interface Block {
  readonly where: string;
  readonly language: string;
  /** What stands behind the language: the file that the block is from. */
  readonly file: string;
  readonly text: string;
}

function blocksOf(page: string): Block[] {
  return [...read(page).matchAll(/^```(\w*) ?(\S*)\n([^]*?)^```$/gm)].map(
    ([, language = '', file = '', text = ''], index) => ({
      where: `${page}, block ${index + 1}`,
      language,
      file,
      text,
    }),
  );
}

/** Paths from the root; links out of the project are left out. Regular expressions in code spans look like links. */
function linksOf(page: string): string[] {
  const text = read(page).replaceAll(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, target = '']) =>
    normalize(join(dirname(page), target)),
  );
}

const blocks = pages.flatMap(blocksOf);

describe('the documentation', () => {
  it('has only valid links', () => {
    const broken = pages.flatMap((page) =>
      linksOf(page)
        .filter((target) => !existsSync(join(root, target)))
        .map((target) => `${page}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('is reached from the README, every page of it', () => {
    const reached = new Set(['README.md']);
    for (const page of reached) for (const target of linksOf(page)) if (target.endsWith('.md')) reached.add(target);
    expect(pages.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
  });

  it('names existing files and folders', () => {
    const missing = pages.flatMap((page) =>
      [...read(page).matchAll(/`((?:packages|test|scripts|docs|bench|examples)\/[\w./-]+)`/g)]
        .map(([, path = '']) => path)
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('shows code that is in the tree, where it is compiled and tested', () => {
    const wrong = blocks
      .filter(({ language }) => language === 'ts')
      .filter(({ file, text }) => file === '' || !existsSync(join(root, file)) || !read(file).includes(text))
      .map(({ where, file }) => `${where}: not in ${file || 'any file: name it behind ```ts'}`);
    expect(wrong).toEqual([]);
  });

  it('draws arrows that are in the code', () => {
    const wrong = blocks.filter(({ language }) => language === 'mermaid').flatMap(arrowsThatAreNot);
    expect(wrong).toEqual([]);
  });

  it('shows YAML that can be read', () => {
    const wrong = blocks
      .filter(({ language }) => language === 'yaml')
      .flatMap(({ where, text }) =>
        parseAllDocuments(text).flatMap((document) => document.errors.map((error) => `${where}: ${error.message}`)),
      );
    expect(wrong).toEqual([]);
  });
});

/** Diagrams whose nodes are files: a solid arrow from one to another stands for an import, a dotted one for none. */
function arrowsThatAreNot({ where, text }: Block): string[] {
  const files = new Map([...text.matchAll(/^ *(\w+)\["(packages[^"]+\.ts)"\]$/gm)].map(([, id, file]) => [id, file]));
  return [...text.matchAll(/^ *(\w+) (-->|-\.->) (\w+)$/gm)].flatMap(([arrow, from, kind, to]) => {
    const [importer, imported] = [files.get(from), files.get(to)];
    if (importer === undefined || imported === undefined) return [];
    if (!existsSync(join(root, importer)) || !existsSync(join(root, imported)))
      return [`${where}:${arrow}: no such file`];
    return imports(importer, imported) === (kind === '-->') ? [] : [`${where}:${arrow}`];
  });
}

/** The file itself, or the entry of its folder or of its package. */
function imports(importer: string, imported: string): boolean {
  const targets = [...read(importer).matchAll(/from '([^']+)'/g)].map(([, target = '']) =>
    target.startsWith('.') ? normalize(join(dirname(importer), target)).replace(/\.js$/, '.ts') : target,
  );
  const [, own] = importer.split('/');
  const [, owner] = imported.split('/');
  const entries = [imported, join(dirname(imported), 'index.ts'), ...(own === owner ? [] : [`@slipway/${owner}`])];
  return targets.some((target) => entries.includes(target));
}
