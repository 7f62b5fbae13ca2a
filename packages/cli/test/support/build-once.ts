import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The tests run what users run: the bundle. */
export function setup(): void {
  const script = fileURLToPath(new URL('../../../../scripts/build.mjs', import.meta.url));
  execFileSync(process.execPath, [script, '--if-needed'], { stdio: 'inherit' });
}
