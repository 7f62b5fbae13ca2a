import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The load generator as one plain file: compiling it on the way would cost the cores that are measured. */
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
