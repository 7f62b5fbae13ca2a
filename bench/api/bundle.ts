import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles the load generator into one file: compiling it at run time would use the cores that are measured. */
export async function bundle(entry: string, outfile: string): Promise<string> {
  await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });
  return outfile;
}
