import { describe, expect, it } from 'vitest';
import { type HostFacts, kubeProxyProblemOf, problemsOf } from './requirements.js';

const able: HostFacts = {
  platform: 'linux',
  userId: 0,
  hasProgram: () => Promise.resolve(true),
  fileSystems: () => Promise.resolve('nodev\tproc\nnodev\toverlay\n\text4\n'),
  tryRules: () => Promise.resolve(),
};

const rows: { name: string; change: Partial<HostFacts>; then: string[] }[] = [
  { name: 'nothing', change: {}, then: [] },
  {
    name: 'another system',
    change: { platform: 'darwin', userId: 501 },
    then: ['HostMachines require Linux, but this host runs darwin'],
  },
  {
    name: 'root',
    change: { userId: 1000 },
    then: ['Linux namespaces and mounts require root: run `slipway up` as root'],
  },
  {
    name: 'a program',
    change: { hasProgram: (name) => Promise.resolve(name !== 'ip') },
    then: ['the program ip is missing: install iproute2'],
  },
  {
    name: 'the file system',
    change: { fileSystems: () => Promise.resolve('nodev\tproc\n') },
    then: ['the kernel does not support overlayfs: load the module overlay'],
  },
];

describe('unmet requirements of a host', () => {
  it.each(rows)('$name', async ({ change, then }) => {
    expect(await problemsOf({ ...able, ...change })).toEqual(then);
  });
});

describe('unmet requirements of kube-proxy', () => {
  it('do not exist on a host with nftables', async () => {
    expect(await kubeProxyProblemOf(able)).toBeUndefined();
  });

  it('are a missing program', async () => {
    const hasProgram = (name: string) => Promise.resolve(name !== 'nft');
    expect(await kubeProxyProblemOf({ ...able, hasProgram })).toBe(
      'kube-proxy requires the program nft: install nftables',
    );
  });

  it('are a kernel without nftables, with the first line of its error', async () => {
    const tryRules = () => Promise.reject(new Error('Operation not supported\nadd table'));
    expect(await kubeProxyProblemOf({ ...able, tryRules })).toContain(
      'the kernel of this host rejects its rules (Operation not supported): load the modules',
    );
  });
});
