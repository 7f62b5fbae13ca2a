import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@slipway/base';
import { LocalService, type TinyImage, type VmReport, type DesiredMachine } from '@slipway/kvm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeHost } from './support/host-folder.js';
import { tinyMachine, wholeTinyImage } from './support/tiny-guest.js';
import { contextWith, ensureUntil, removeAll, uuidOf, desiredMachine } from './support/desired-machine.js';

// Runs real machines that reach each other over the isolated segment of their cluster, and on a bridge in a separate network.
let folder: string;
let tiny: TinyImage;
let service: LocalService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kvm-net-'));
  tiny = await wholeTinyImage();
  service = new LocalService({
    stateDirectory: join(folder, 'state'),
    runDirectory: join(folder, 'run'),
    clock: systemClock,
  });
}, 120_000);
afterAll(() => {
  service?.dispose();
  removeHost(folder);
});

const script = (lines: string): string => `#!/bin/sh\necho\n${lines}\n`;
const isRunning = ({ state }: VmReport): boolean => state === 'running';

/** Polls until the guest responds: it has just been switched on. */
async function page(report: VmReport, path: string): Promise<string> {
  const port = report.vm?.portForwards?.find(({ guestPort }) => guestPort === 8080)?.port ?? 0;
  let text = '';
  await expect
    .poll(
      async () => {
        text = await fetch(`http://127.0.0.1:${port}/${path}`).then(
          (answer) => answer.text(),
          () => '',
        );
        return text;
      },
      { timeout: 240_000, interval: 500 },
    )
    .not.toBe('');
  return text;
}

const forwarded = { portForwards: [{ guestPort: 8080 }] };

/** Returns a machine that boots from UEFI firmware, is configured by Ignition, and shares a directory with this host. */
function ignited(shared: string): DesiredMachine {
  const base64 = (text: string): string => `data:;base64,${Buffer.from(text).toString('base64')}`;
  const file = (path: string, text: string) => ({ path, mode: 0o755, contents: { source: base64(text) } });
  const value = JSON.stringify({
    ignition: { version: '3.3.0' },
    storage: {
      files: [
        file('/www/cgi-bin/facts', script('hostname; ls -d /sys/firmware/efi; cat /mnt/shared/greeting')),
        file('/www/cgi-bin/neighbour', script('wget -q -O- http://172.30.0.12:8080/')),
        file('/www/cgi-bin/keep', script('echo kept > /mnt/shared/answer; echo done')),
        file('/etc/kubeadm.sh', '#!/bin/sh\nhttpd -p 8080 -h /www\n'),
      ],
    },
    systemd: {
      units: [{ name: 'kubeadm.service', enabled: true, contents: '[Service]\nExecStart=/etc/kubeadm.sh\n' }],
    },
  });
  const spec = {
    ...tinyMachine(tiny),
    resources: { cpu: '500m', memory: '256Mi', disk: '32Mi' },
    firmware: 'uefi' as const,
    hostVolumes: [{ mountTag: 'shared', hostPath: shared }],
    network: { ...forwarded, ipAddresses: ['172.30.0.11/24'] },
  };
  return desiredMachine(uuidOf(1), spec, { format: 'ignition', value });
}

/** Returns a machine that serves a page with the content of the read-only directory and the sizes of the disks. */
function sharing(shared: string): DesiredMachine {
  const commands = [
    'mkdir /www',
    'cat /data/greeting > /www/index.html',
    'touch /data/mine 2> /dev/null || echo read-only >> /www/index.html',
    // Sizes are in units of 512 bytes.
    'for disk in dockerfs kubeletfs; do cat "/sys/class/block/$(basename "$(readlink /dev/disk/by-id/virtio-$disk)")/size" >> /www/index.html; done',
    'httpd -p 8080 -h /www',
  ];
  const data = `#cloud-config\nruncmd:\n${commands.map((command) => `  - '${command}'\n`).join('')}`;
  const spec = {
    ...tinyMachine(tiny),
    resources: { cpu: 1, memory: '256Mi', disk: '32Mi', dockerVolumeSize: '64Mi', kubeletVolumeSize: '48Mi' },
    hostVolumes: [{ mountTag: 'data', mountPath: '/data', hostPath: shared, readOnly: true }],
    network: { ipAddresses: ['172.30.0.12/24'] },
  };
  return desiredMachine(uuidOf(2), spec, data);
}

describe('machines of a cluster', () => {
  it('reach each other over their segment; UEFI, Ignition, shared folders, disks and limits work', async () => {
    const shared = join(folder, 'shared');
    mkdirSync(shared);
    writeFileSync(join(shared, 'greeting'), 'from the host\n');
    const reported: string[] = [];
    const first = ignited(shared);
    const second = sharing(shared);
    await ensureUntil(service, second, isRunning);
    const report = await ensureUntil(
      service,
      first,
      isRunning,
      240_000,
      contextWith((reason) => reported.push(reason)),
    );
    expect(await page(report, 'cgi-bin/facts')).toBe('machine-0001\n/sys/firmware/efi\nfrom the host\n');
    expect(await page(report, 'cgi-bin/neighbour')).toBe('from the host\nread-only\n131072\n98304\n');
    expect(await page(report, 'cgi-bin/keep')).toBe('done\n');
    expect(readFileSync(join(shared, 'answer'), 'utf8')).toBe('kept\n');
    const limits = limitsOf(report.vm?.pid ?? 0);
    // Without permission to write cgroups, Slipway reports that limits are not applied.
    const desired = { memoryBytes: (256 + 512 + 256 + 8) * 1024 ** 2, cpuShare: 0.5 };
    expect(limits).toEqual(reported.includes('Unlimited') ? {} : desired);
    for (const each of [first, second]) expect(await removeAll(service, each)).toBeUndefined();
    expect(readdirSync(join(folder, 'state/machines'))).toEqual([]);
    // Only the machines were deleted. Files of the host are kept.
    expect(readdirSync(shared).sort()).toEqual(['answer', 'greeting']);
  }, 600_000);
});

/** Returns the cgroup limits of the process, with cgroup v1 or v2. */
function limitsOf(pid: number): { memoryBytes?: number; cpuShare?: number } {
  const groups = readFileSync(`/proc/${pid}/cgroup`, 'utf8');
  const read = (controller: string, file: string): string | undefined => {
    const path = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm').exec(groups)?.[1] ?? '/';
    const full = join('/sys/fs/cgroup', controller, path, file);
    return path.includes('slipway-kvm') && existsSync(full) ? readFileSync(full, 'utf8').trim() : undefined;
  };
  const memory = read('memory', 'memory.limit_in_bytes') ?? read('', 'memory.max');
  const quota = read('cpu', 'cpu.cfs_quota_us') ?? read('', 'cpu.max')?.split(' ')[0];
  return {
    ...(memory !== undefined && { memoryBytes: Number(memory) }),
    ...(quota !== undefined && { cpuShare: Number(quota) / 100_000 }),
  };
}

describe('a machine on a bridge', () => {
  it('has its address there, and its interface is deleted with it', () => {
    const child = join(import.meta.dirname, 'support/bridged-machine.ts');
    const setUp = [
      'mount -t sysfs none /sys',
      'ip link set lo up',
      'ip link add br-test type bridge',
      'ip addr add 172.31.9.1/24 dev br-test',
      'ip link set br-test up',
      `exec ${process.execPath} --import tsx ${child} ${folder} ${tiny.kernel} ${tiny.initrd} ${tiny.disk}`,
    ].join(' && ');
    // Run in separate network and mount namespaces, so that this host is not affected.
    const output = execFileSync('unshare', ['-n', '-m', 'sh', '-c', setUp], { encoding: 'utf8', timeout: 480_000 });
    expect(JSON.parse(output.trim().split('\n').at(-1) ?? '')).toEqual({
      withoutBridge: 'this host has no bridge br-none: create it, or set another one in spec.network.bridge',
      page: 'on the bridge\n',
      interfaces: [expect.stringMatching(/^kvm[0-9a-f]{8}0002$/)],
      left: [],
    });
  }, 600_000);
});
