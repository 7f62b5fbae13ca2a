import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Mutation } from './mutations.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Bundles the simulation's command with one mutated source line. The sources are not changed. */
export async function bundleBroken(mutation: Mutation): Promise<string> {
  const outfile = join(root, 'packages/simulation/dist/mutations', `${mutation.name}.mjs`);
  await build({
    entryPoints: [join(root, 'packages/simulation/src/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // The native lmdb module cannot be bundled. The simulation does not need it, because its disk is simulated.
    external: ['lmdb'],
    logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [mutationPlugin(mutation)],
  });
  return outfile;
}

function mutationPlugin({ file, find, replace }: Mutation): Plugin {
  const path = join(root, file);
  return {
    name: 'breaking',
    setup(pluginBuild) {
      pluginBuild.onLoad({ filter: /\.ts$/ }, async (loaded) => {
        if (loaded.path !== path) return undefined;
        return { contents: broken(await readFile(path, 'utf8'), { file, find, replace }), loader: 'ts' };
      });
    },
  };
}

/** Replaces the line of a mutation. Throws unless the line occurs exactly once: a mutation without a match proves nothing. */
export function broken(text: string, { file, find, replace }: Pick<Mutation, 'file' | 'find' | 'replace'>): string {
  const pieces = text.split(find);
  if (pieces.length !== 2) throw new Error(`${file} has ${pieces.length - 1} places like ${JSON.stringify(find)}`);
  return pieces.join(replace);
}
