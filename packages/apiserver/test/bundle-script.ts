import { build } from 'esbuild';

/** Makes one file that plain Node can run out of a script: a child process then starts in milliseconds. */
export async function bundleScript(entryPoint: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['lmdb', 'pino'],
    // Bundled CommonJS modules still ask for Node's own modules by `require`.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
}
