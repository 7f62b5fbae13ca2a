import { describe, expect, it } from 'vitest';
import { type Computer, problemsOf } from './requirements.js';

const able: Computer = {
  platform: 'linux',
  userId: 0,
  hasProgram: () => Promise.resolve(true),
  fileSystems: () => Promise.resolve('nodev\tproc\nnodev\toverlay\n\text4\n'),
};

const rows: { name: string; change: Partial<Computer>; then: string[] }[] = [
  { name: 'nothing', change: {}, then: [] },
  {
    name: 'another system',
    change: { platform: 'darwin', userId: 501 },
    then: ['machines of this kind need Linux, and this is darwin'],
  },
  {
    name: 'root',
    change: { userId: 1000 },
    then: ['namespaces and mounts need root: start `slipway up` as root'],
  },
  {
    name: 'a program',
    change: { hasProgram: (name) => Promise.resolve(name !== 'ip') },
    then: ['the program ip is missing: install iproute2'],
  },
  {
    name: 'the file system',
    change: { fileSystems: () => Promise.resolve('nodev\tproc\n') },
    then: ['the kernel has no overlay file system: load its module'],
  },
];

describe('what a computer lacks', () => {
  it.each(rows)('$name', async ({ change, then }) => {
    expect(await problemsOf({ ...able, ...change })).toEqual(then);
  });
});
