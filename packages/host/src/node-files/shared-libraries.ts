import { runCommand } from '@slipway/base';

/** Returns the shared libraries and the loader that a program needs at run time. Empty for a statically linked program. */
export async function sharedLibrariesOf(program: string): Promise<readonly string[]> {
  let printed: string;
  try {
    printed = await runCommand('ldd', [program]);
  } catch {
    // ldd fails in this way if the program is not a dynamic executable.
    return [];
  }
  return parseLibraries(printed);
}

/** Parses lines such as `libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x…)` and `/lib64/ld-linux-x86-64.so.2 (0x…)`. */
export function parseLibraries(printed: string): readonly string[] {
  const paths = [...printed.matchAll(/(?:^|=>)\s*(\/\S+) \(0x/gm)].map(([, path = '']) => path);
  return [...new Set(paths)];
}
