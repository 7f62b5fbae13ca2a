import { runCommand } from '@slipway/base';

/** The libraries and the loader that a program wants to find at run time; none for one that is linked statically. */
export async function sharedLibrariesOf(program: string): Promise<readonly string[]> {
  let printed: string;
  try {
    printed = await runCommand('ldd', [program]);
  } catch {
    // It has no other way of saying 'not a dynamic executable'.
    return [];
  }
  return parseLibraries(printed);
}

/** From lines such as `libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x…)` and `/lib64/ld-linux-x86-64.so.2 (0x…)`. */
export function parseLibraries(printed: string): readonly string[] {
  const paths = [...printed.matchAll(/(?:^|=>)\s*(\/\S+) \(0x/gm)].map(([, path = '']) => path);
  return [...new Set(paths)];
}
