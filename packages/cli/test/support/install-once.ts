import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Packs and installs the npm package, so that the tests run the program as users install it. */
export function setup(): void {
  const script = fileURLToPath(new URL('../../../../scripts/install-for-tests.mjs', import.meta.url));
  execFileSync(process.execPath, [script], { stdio: 'inherit' });
}
