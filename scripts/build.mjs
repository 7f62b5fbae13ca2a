// Bundles the command into one file: a single module loads in a fraction of the time that hundreds take, and the
// quick start's first second is spent here.
import { build } from 'esbuild';

await build({
  entryPoints: ['packages/cli/src/main.ts'],
  outfile: 'packages/cli/dist/slipway.mjs',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: true,
  // Native code stays outside the bundle and is loaded from node_modules.
  external: ['lmdb', 'pino'],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
