import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { boothookOf } from './boothook.js';
import { ignitionConfig } from './ignition.js';
import { writeDisc } from './iso9660.js';
import { blankDisc, noCloudDisc } from './no-cloud.js';
import type { SeedFacts } from './seed-facts.js';

const facts: SeedFacts = {
  uuid: '1d3c7a52-0000-4000-8000-000000000001',
  hostName: 'one',
  interfaces: [
    { macAddress: '52:54:00:00:00:01', addresses: [], nameservers: ['10.0.0.53'], searchDomains: ['a.example'] },
    { macAddress: '52:54:00:00:00:02', addresses: ['172.30.0.11/24'], nameservers: [], searchDomains: [], mtu: 1500 },
  ],
  ntpServers: ['10.0.0.123'],
  disks: [{ serial: 'dockerfs', mountPath: '/var/lib/containerd' }],
  shares: [{ mountTag: 'data', mountPath: '/mnt/data', readOnly: true }],
  iscsiInitiatorName: 'iqn.2016-04.com.coreos.iscsi:c-1',
  dockerNetworkCidr: '172.17.0.0/16',
  hosts: [{ address: '10.0.2.2', name: 'api.example' }],
};

const sector = 2048;

/** Reads the Joliet directory tree, as Linux does. */
function readDisc(disc: Buffer): { label: string; files: Map<string, Buffer> } {
  const volume = disc.subarray(17 * sector, 18 * sector);
  expect(volume.subarray(0, 7).toString('latin1')).toBe('\x02CD001\x01');
  const label = fromUcs2(volume.subarray(40, 72)).trim();
  const root = volume.readUInt32LE(158) * sector;
  const files = new Map<string, Buffer>();
  for (let at = root; (disc[at] ?? 0) > 0; at += disc[at] ?? 0) {
    const [start, size] = [disc.readUInt32LE(at + 2), disc.readUInt32LE(at + 10)];
    expect([disc.readUInt32BE(at + 6), disc.readUInt32BE(at + 14)]).toEqual([start, size]);
    const name = disc.subarray(at + 33, at + 33 + (disc[at + 32] ?? 0));
    if (name.length > 1) files.set(fromUcs2(name), disc.subarray(start * sector, start * sector + size));
  }
  return { label, files };
}

function fromUcs2(bytes: Buffer): string {
  return Buffer.from(bytes).swap16().toString('utf16le');
}

describe('a disc', () => {
  it.each([0, 1, 2047, 2048, 2049, 70_000])('contains a file of %i bytes', (length) => {
    const content = Buffer.alloc(length, 7);
    const { label, files } = readDisc(writeDisc('cidata', [{ name: 'user-data', content }]));
    expect({ label, isSame: files.get('user-data')?.equals(content) }).toEqual({ label: 'cidata', isSame: true });
  });

  it('is identical for identical files, and has the minimum size that firmware requires', () => {
    const files = [
      { name: 'b', content: Buffer.from('2') },
      { name: 'a', content: Buffer.from('1') },
    ];
    expect(writeDisc('x', files).equals(writeDisc('x', files.toReversed()))).toBe(true);
    expect(writeDisc('x', files).length).toBe(150 * sector);
  });
});

describe('a NoCloud seed', () => {
  const data = Buffer.from('## template: jinja\n#cloud-config\n\nruncmd:\n  - "a\\tb"\n# \xff{{ x }}\n', 'latin1');
  const { label, files } = readDisc(noCloudDisc(facts, data));
  // YAML 1.1, which cloud-init uses.
  const yaml = (name: string): unknown => parse(files.get(name)?.toString() ?? '', { version: '1.1' });

  it('contains the bootstrap data byte for byte [kvm 13]', () => {
    expect(label).toBe('cidata');
    expect(files.get('user-data')).toEqual(data);
  });

  it('contains the host name under both keys [kvm 11]', () => {
    expect(yaml('meta-data')).toEqual({
      'instance-id': facts.uuid,
      'local-hostname': 'one',
      'local-ipv4': '172.30.0.11',
      hostname: 'one',
      'provider-id': `kvm://${facts.uuid}`,
    });
  });

  it('keeps its instance ID when its secrets are erased [kvm 12]', () => {
    const blank = readDisc(blankDisc(facts)).files;
    expect(blank.get('meta-data')).toEqual(files.get('meta-data'));
    expect(blank.get('user-data')?.toString()).toBe('#cloud-config\n{}\n');
  });

  it('matches interfaces by MAC address', () => {
    expect(yaml('network-config')).toEqual({
      version: 2,
      ethernets: {
        nic0: {
          match: { macaddress: '52:54:00:00:00:01' },
          'set-name': 'eth0',
          dhcp4: true,
          'dhcp4-overrides': { 'use-dns': false },
          nameservers: { addresses: ['10.0.0.53'], search: ['a.example'] },
        },
        nic1: {
          match: { macaddress: '52:54:00:00:00:02' },
          'set-name': 'eth1',
          addresses: ['172.30.0.11/24'],
          mtu: 1500,
        },
      },
    });
  });

  it('configures in a boothook what lists of the bootstrap data would replace [kvm 39]', () => {
    const vendor = files.get('vendor-data')?.toString() ?? '';
    expect(vendor).toContain('Content-Type: text/cloud-boothook');
    expect(vendor).not.toMatch(/^(write_files|runcmd|mounts):/m);
    expect(vendor).toContain('servers:\n    - 10.0.0.123\n');
  });

  it('contains a boothook that is a valid shell script and formats only empty disks', () => {
    const script = boothookOf(facts);
    execFileSync('sh', ['-n', '-c', script]);
    expect(script).toContain("blkid '/dev/disk/by-id/virtio-dockerfs' > /dev/null 2>&1 || mkfs.xfs");
    expect(script).toContain("InitiatorName=iqn.2016-04.com.coreos.iscsi:c-1' > /etc/iscsi/initiatorname.iscsi");
    expect(script).toContain('{"bip":"172.17.0.1/16"}');
  });
});

describe('an Ignition configuration', () => {
  it('merges the given configuration unchanged, and mounts disks and directories with a unit', () => {
    const given = Buffer.from('{"ignition":{"version":"3.0.0"}}');
    const config = JSON.parse(ignitionConfig(facts, given).toString()) as {
      ignition: { config: { merge: { source: string }[] } };
      storage: { files: { path: string; contents: { source: string } }[] };
      systemd: { units: { name: string; enabled: boolean; contents: string }[] };
    };
    const source = config.ignition.config.merge[0]?.source ?? '';
    expect(Buffer.from(source.replace('data:;base64,', ''), 'base64')).toEqual(given);
    expect(config.storage.files.map(({ path }) => path)).toContain('/etc/hostname');
    // With Ignition, a systemd unit runs the script that is a boothook with cloud-init.
    const script = config.storage.files.find(({ path }) => path === '/etc/slipway/boot.sh')?.contents.source ?? '';
    expect(Buffer.from(script.replace('data:;base64,', ''), 'base64').toString()).toBe(boothookOf(facts));
    const [unit] = config.systemd.units;
    expect(unit).toMatchObject({ name: 'slipway-boot.service', enabled: true });
    expect(unit?.contents).toMatch(/^Before=containerd.service docker.service kubelet.service$/m);
    expect(unit?.contents).toMatch(/^ExecStart=\/bin\/sh \/etc\/slipway\/boot.sh$/m);
  });
});
