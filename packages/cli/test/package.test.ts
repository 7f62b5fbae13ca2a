import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { installedFiles, installedPrograms } from './support/installed.js';

const packed = fileURLToPath(new URL('../../../dist/packed/', import.meta.url));
const package_ = fileURLToPath(new URL('..', installedFiles));
const sizeMax = 8_000_000;

describe('the npm package', () => {
  const files = readdirSync(package_, { recursive: true, encoding: 'utf8' });

  it('is at most 8 MB packed', () => {
    const [tarball = ''] = readdirSync(packed).filter((name) => name.endsWith('.tgz'));
    expect(statSync(join(packed, tarball)).size).toBeLessThan(sizeMax);
  });

  it('has neither dependencies nor an install script', () => {
    const manifest = JSON.parse(readFileSync(join(package_, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['dependencies']));
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['scripts']));
  });

  it('contains no tests, no sources and no path of the host that built it', () => {
    expect(files.filter((name) => /\.ts$|\.test\./.test(name))).toEqual([]);
    const root = fileURLToPath(new URL('../../../', import.meta.url)).slice(0, -1);
    const texts = files.filter((name) => /\.(?:mjs|map|json|js)$/.test(name));
    expect(texts.filter((name) => readFileSync(join(package_, name), 'utf8').includes(`${root}/`))).toEqual([]);
  });

  it('names the license of each package whose code it contains', () => {
    const licenses = readFileSync(join(package_, 'THIRD-PARTY-LICENSES'), 'utf8');
    for (const name of ['lmdb', 'commander', 'pino', 'yaml']) expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  it('puts slipway and vdoctl on the PATH', () => {
    const run = (name: string, ...args: readonly string[]): string =>
      execFileSync(join(installedPrograms, name), args, { encoding: 'utf8' });
    expect(run('slipway', 'version', '-o', 'short')).toMatch(/^v?\d+\.\d+\.\d+\n$/);
    expect(run('vdoctl', '--help')).toContain('Usage: slipway drivers');
  });
});
