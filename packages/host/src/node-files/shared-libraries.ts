import { runCommand } from '@slipway/base';

/** The shared libraries and the loader that a program needs at run time; empty for a statically linked program. */
export async function sharedLibrariesOf(program: string): Promise<readonly string[]> {
  let printed: string;
  try {
    printed = await runCommand('ldd', [program]);
  } catch {
    // This is how ldd reports 'not a dynamic executable'.
    return [];
  }
  return parseLibraries(printed);
}

/** From lines such as `libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x…)` and `/lib64/ld-linux-x86-64.so.2 (0x…)`. */
export function parseLibraries(printed: string): readonly string[] {
  const paths = [...printed.matchAll(/(?:^|=>)\s*(\/\S+) \(0x/gm)].map(([, path = '']) => path);
  return [...new Set(paths)];
}
