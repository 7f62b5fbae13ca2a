import { describe, expect, it } from 'vitest';
import { hierarchies } from './cgroups.js';
import { parseMounts } from './mounts.js';

describe('parsing of kernel files', () => {
  it('finds the mount points of the cgroup v1 hierarchies of this process', () => {
    const cgroup = '9:name=systemd:/\n4:memory:/session/one\n2:cpu,cpuacct:/\n1:perf_event:/\n0::/user.slice\n';
    const mountinfo = [
      '30 24 0:26 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd',
      '31 24 0:27 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory',
      '32 24 0:28 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct',
      '33 24 0:29 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw',
    ].join('\n');
    expect(hierarchies(cgroup, mountinfo)).toEqual([
      '/sys/fs/cgroup/systemd/',
      '/sys/fs/cgroup/memory/session/one',
      '/sys/fs/cgroup/cpu,cpuacct/',
    ]);
  });

  it('finds mounts, including paths with whitespace', () => {
    const mountinfo = String.raw`1 0 8:1 / / rw - ext4 /dev/sda rw
2 1 0:4 net:[4026532] /data/my\040plane/namespace rw - nsfs nsfs rw
`;
    expect(parseMounts(mountinfo)).toEqual(['/', '/data/my plane/namespace']);
  });
});
