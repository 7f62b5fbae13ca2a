import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureRelease, releaseFolder } from './release-files.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Beside the release, because hard links do not work across file systems. */
const checkout = join(root, 'dist/second-checkout');

beforeAll(() => {
  ensureRelease();
  rmSync(checkout, { recursive: true, force: true });
  mkdirSync(join(checkout, 'home'), { recursive: true });
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root });
  // A file that was deleted is listed until the deletion is committed.
  const isPresent = (name: string): boolean => name !== '' && existsSync(join(root, name));
  for (const name of listed.toString().split('\0').filter(isPresent)) {
    mkdirSync(dirname(join(checkout, name)), { recursive: true });
    cpSync(join(root, name), join(checkout, name));
  }
  execFileSync('cp', ['-al', join(root, 'node_modules'), join(checkout, 'node_modules')]);
});
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

it('the same sources give the same files in another directory, with another umask, time zone and locale, and without a network', () => {
  const script = 'umask 077 && chmod -R go-rwx packages scripts LICENSE README.md && npm run release';
  const env = { PATH: process.env['PATH'], HOME: join(checkout, 'home'), TZ: 'Asia/Tokyo', LC_ALL: 'C' };
  const { status, stderr } = spawnSync('unshare', ['--net', '--', 'sh', '-c', script], {
    cwd: checkout,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the second release failed: ${stderr}`);
  const sums = (folder: string): string[] => readFileSync(join(folder, 'SHA256SUMS'), 'utf8').split('\n');
  expect(sums(join(checkout, 'dist/release'))).toEqual(sums(releaseFolder));
}, 900_000);
