import { readFile } from 'node:fs/promises';
import { runCommand } from '@slipway/base';

/** Returns the mount points at or below a path, deepest first. */
export async function mountsBelow(path: string): Promise<readonly string[]> {
  return parseMounts(await readFile('/proc/self/mountinfo', 'utf8'))
    .filter((point) => point === path || point.startsWith(`${path}/`))
    .sort((left, right) => right.length - left.length);
}

export function parseMounts(mountinfo: string): string[] {
  return mountinfo
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => unescape(line.split(' ')[4] ?? ''));
}

/** Decodes the octal escapes that the kernel writes for whitespace in paths. */
function unescape(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

export async function unmountBelow(path: string): Promise<void> {
  for (const point of await mountsBelow(path)) await runCommand('umount', ['--lazy', point]);
}
