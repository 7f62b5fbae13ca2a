import { build } from 'esbuild';

/** Bundles a script into one file that Node runs without a loader, so that a child process starts in milliseconds. */
export async function bundleScript(entryPoint: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['lmdb', 'pino'],
    // Bundled CommonJS modules call `require` for Node's built-in modules.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
}
