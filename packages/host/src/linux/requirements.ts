import { access, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

const programs: Readonly<Record<string, string>> = {
  ip: 'iproute2',
  unshare: 'util-linux',
  nsenter: 'util-linux',
  mount: 'util-linux',
  umount: 'util-linux',
  pivot_root: 'util-linux',
  tar: 'tar',
};

export interface Computer {
  readonly platform: string;
  /** Undefined where there are no users. */
  readonly userId: number | undefined;
  readonly hasProgram: (name: string) => Promise<boolean>;
  readonly fileSystems: () => Promise<string>;
}

export const thisComputer: Computer = {
  platform: process.platform,
  userId: process.getuid?.(),
  hasProgram: (name) => isOnPath(name, process.env['PATH'] ?? ''),
  fileSystems: () => readFile('/proc/filesystems', 'utf8'),
};

/** What a computer lacks to run machines, each a sentence with its remedy. */
export async function problemsOf(computer: Computer): Promise<readonly string[]> {
  if (computer.platform !== 'linux') return [`machines of this kind need Linux, and this is ${computer.platform}`];
  const problems: string[] = [];
  if (computer.userId !== 0) problems.push('namespaces and mounts need root: start `slipway up` as root');
  for (const [name, packageName] of Object.entries(programs))
    if (!(await computer.hasProgram(name))) problems.push(`the program ${name} is missing: install ${packageName}`);
  const fileSystems = new Set((await computer.fileSystems()).split(/\s+/));
  if (!fileSystems.has('overlay')) problems.push('the kernel has no overlay file system: load its module');
  return problems;
}

async function isOnPath(name: string, path: string): Promise<boolean> {
  const folders = [...path.split(delimiter), '/usr/sbin', '/sbin'];
  for (const folder of folders) {
    try {
      await access(join(folder, name));
      return true;
    } catch {
      // Perhaps in the next one.
    }
  }
  return false;
}
