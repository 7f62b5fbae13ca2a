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
  // API reports are generated, and a separate test compares them with the type declarations.
  .filter((path) => path !== '' && !/^packages\/[^/]+\/api\.md$/.test(path) && existsSync(join(root, path)));

interface Block {
  readonly where: string;
  readonly language: string;
  /** Path of the file that contains the block. It follows the language of the code block. */
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

/**
 * Returns the links of a page as paths relative to the root, without external links. Code spans are skipped, because regular
 * expressions in them look like links.
 */
function linksOf(page: string): string[] {
  const text = read(page).replaceAll(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, target = '']) =>
    normalize(join(dirname(page), target)),
  );
}

const blocks = pages.flatMap(blocksOf);

describe('documentation', () => {
  it('contains only valid links', () => {
    const broken = pages.flatMap((page) =>
      linksOf(page)
        .filter((target) => !existsSync(join(root, target)))
        .map((target) => `${page}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('links every page directly or indirectly from the README', () => {
    const reached = new Set(['README.md']);
    for (const page of reached) for (const target of linksOf(page)) if (target.endsWith('.md')) reached.add(target);
    expect(pages.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
  });

  it('mentions only existing files and directories', () => {
    const missing = pages.flatMap((page) =>
      [...read(page).matchAll(/`((?:packages|test|scripts|docs|bench|examples)\/[\w./-]+)`/g)]
        .map(([, path = '']) => path)
        // Pages of the example name files of its package.
        .filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, dirname(page), path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('shows only code that is in the repository, where it is compiled and tested', () => {
    const wrong = blocks
      .filter(({ language }) => language === 'ts')
      .filter(({ file, text }) => file === '' || !existsSync(join(root, file)) || !read(file).includes(text))
      .map(({ where, file }) => `${where}: not in ${file || 'any file: name it behind ```ts'}`);
    expect(wrong).toEqual([]);
  });

  it('draws only arrows that match the imports of the code', () => {
    const wrong = blocks.filter(({ language }) => language === 'mermaid').flatMap(wrongArrows);
    expect(wrong).toEqual([]);
  });

  it('shows only YAML that parses', () => {
    const wrong = blocks
      .filter(({ language }) => language === 'yaml')
      .flatMap(({ where, text }) =>
        parseAllDocuments(text).flatMap((document) => document.errors.map((error) => `${where}: ${error.message}`)),
      );
    expect(wrong).toEqual([]);
  });
});

/**
 * Returns wrong arrows of a diagram whose nodes are files: a solid arrow means that one file imports the other, a dotted arrow
 * that it does not.
 */
function wrongArrows({ where, text }: Block): string[] {
  const files = new Map([...text.matchAll(/^ *(\w+)\["(packages[^"]+\.ts)"\]$/gm)].map(([, id, file]) => [id, file]));
  return [...text.matchAll(/^ *(\w+) (-->|-\.->) (\w+)$/gm)].flatMap(([arrow, from, kind, to]) => {
    const [importer, imported] = [files.get(from), files.get(to)];
    if (importer === undefined || imported === undefined) return [];
    if (!existsSync(join(root, importer)) || !existsSync(join(root, imported)))
      return [`${where}:${arrow}: no such file`];
    return imports(importer, imported) === (kind === '-->') ? [] : [`${where}:${arrow}`];
  });
}

/** Returns whether a file imports another file, directly or through the index of its directory or package. */
function imports(importer: string, imported: string): boolean {
  const targets = [...read(importer).matchAll(/from '([^']+)'/g)].map(([, target = '']) =>
    target.startsWith('.') ? normalize(join(dirname(importer), target)).replace(/\.js$/, '.ts') : target,
  );
  const [, own] = importer.split('/');
  const [, owner] = imported.split('/');
  const entries = [imported, join(dirname(imported), 'index.ts'), ...(own === owner ? [] : [`@slipway/${owner}`])];
  return targets.some((target) => entries.includes(target));
}
