import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The tests run what users run: the npm package, packed and installed. */
export function setup(): void {
  const script = fileURLToPath(new URL('../../../../scripts/install-for-tests.mjs', import.meta.url));
  execFileSync(process.execPath, [script], { stdio: 'inherit' });
}
