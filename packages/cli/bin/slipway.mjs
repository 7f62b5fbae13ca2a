#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const bundle = new URL('../dist/slipway.mjs', import.meta.url);
if (!existsSync(fileURLToPath(bundle))) {
  console.error('slipway is not built yet: run `npm run build` in the repository root first.');
  process.exit(1);
}
await import(bundle);
