import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendFile, appendText, chunksOf, endArchive, readEntries } from './tar.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tar-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);

async function write(texts: readonly string[]): Promise<void> {
  const archive = await open(at('archive'), 'w');
  for (const [index, text] of texts.entries()) await appendText(archive, `file-${index}`, text, 1_700_000_000_000);
  await endArchive(archive);
  await archive.close();
}

async function read(): Promise<string[]> {
  const archive = await open(at('archive'), 'r');
  try {
    const texts: string[] = [];
    for (const { start, size } of await readEntries(archive)) {
      const chunks: Buffer[] = [];
      for await (const chunk of chunksOf(archive, start, size)) chunks.push(chunk);
      texts.push(Buffer.concat(chunks).toString());
    }
    return texts;
  } finally {
    await archive.close();
  }
}

describe('a tar archive', () => {
  it('returns the files that were written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ maxLength: 2_000 }), { maxLength: 5 }), async (texts) => {
        await write(texts);
        expect(await read()).toEqual(texts);
      }),
      { numRuns: 30 },
    );
  });

  it('is readable by tar', async () => {
    await write(['first', 'x'.repeat(513)]);
    const options = { cwd: folder, encoding: 'utf8' } as const;
    expect(execFileSync('tar', ['tf', 'archive'], options)).toBe('file-0\nfile-1\n');
    expect(execFileSync('tar', ['xOf', 'archive', 'file-1'], options)).toBe('x'.repeat(513));
  });

  it('stores the content of an open file', async () => {
    const bytes = 'y'.repeat(1_048_577);
    writeFileSync(at('source'), bytes);
    const [archive, source] = [await open(at('archive'), 'w'), await open(at('source'), 'r')];
    await appendFile(archive, 'source', source, 0);
    await endArchive(archive);
    await Promise.all([archive.close(), source.close()]);
    expect(await read()).toEqual([bytes]);
  });

  it.each([
    { name: 'empty', bytes: Buffer.alloc(0), problem: 'unexpected end of archive' },
    {
      name: 'another format',
      bytes: Buffer.alloc(2_048, 'a'),
      problem: 'not a tar archive, or the archive is damaged',
    },
  ])('is rejected if it is $name', async ({ bytes, problem }) => {
    writeFileSync(at('archive'), bytes);
    await expect(read()).rejects.toThrow(problem);
  });
});
