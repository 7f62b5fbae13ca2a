// Builds the pages of the console: one script, one style sheet and the page that loads them, without external
// resources.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const pages = fileURLToPath(new URL('../packages/console/src/pages', import.meta.url));

/** @param {string} outdir */
export async function buildConsole(outdir) {
  const { outputFiles } = await build({
    entryPoints: { console: join(pages, 'main.tsx'), style: join(pages, 'style/index.css') },
    outdir,
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const place = (kind) => {
    const file = outputFiles.find(({ path }) => path.endsWith(`.${kind}`));
    // File names contain a hash of the content, because browsers cache assets permanently.
    const name = `console-${createHash('sha256').update(file.contents).digest('hex').slice(0, 12)}.${kind}`;
    writeFileSync(join(outdir, name), file.contents);
    return name;
  };
  const page = readFileSync(join(pages, 'index.html'), 'utf8');
  writeFileSync(join(outdir, 'index.html'), page.replace('{{style}}', place('css')).replace('{{script}}', place('js')));
}
