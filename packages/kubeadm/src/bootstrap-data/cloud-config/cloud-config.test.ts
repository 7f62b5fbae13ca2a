import { parseYamlValue } from '@slipway/kube';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MachineSetup } from '../types.js';
import { renderCloudConfig } from './cloud-config.js';

const setup: MachineSetup = {
  role: 'worker-join',
  files: [],
  documents: ['kind: JoinConfiguration\n'],
  bootCommands: [],
  preKubeadmCommands: [],
  postKubeadmCommands: [],
  users: [],
  mounts: [],
};

function sections(changes: Partial<MachineSetup>): Record<string, unknown> {
  return parseYamlValue(renderCloudConfig({ ...setup, ...changes })) as Record<string, unknown>;
}

describe('renderCloudConfig', () => {
  it('starts with the jinja header, on which providers depend [14.31]', () => {
    expect(renderCloudConfig(setup)).toMatch(/^## template: jinja\n#cloud-config\n\nwrite_files:\n/);
  });

  it('quotes the init command, starts the worker join file with `---`, and writes the sentinel with `&&` after kubeadm [14.31]', () => {
    expect(renderCloudConfig({ ...setup, role: 'init' })).toContain(
      "  - 'kubeadm init --config /run/kubeadm/kubeadm.yaml  && echo success > /run/cluster-api/bootstrap-success.complete'\n",
    );
    const worker = renderCloudConfig({ ...setup, verbosity: 4 });
    expect(worker).toContain(
      '  - kubeadm join --config /run/kubeadm/kubeadm-join-config.yaml --v 4 && echo success > /run/cluster-api/bootstrap-success.complete\n',
    );
    expect(worker).toContain('    content: |\n      ---\n      kind: JoinConfiguration\n');
    expect(renderCloudConfig({ ...setup, role: 'control-plane-join' })).toContain(
      '    content: |\n      kind: JoinConfiguration\n',
    );
  });

  it.each([
    [
      'an inactive user',
      { users: [{ name: 'a', inactive: true, sudo: 'False' }] },
      { users: [{ name: 'a', inactive: true, sudo: false }] },
    ],
    [
      'a layout with codes',
      {
        diskSetup: {
          partitions: [
            {
              device: '/dev/sdb',
              diskLayout: [
                { percentage: 50, partitionType: 'LinuxRAID' },
                { percentage: 50, partitionType: '0fc63daf-8483-4772-8e79-3d69d8477de4' },
              ],
            },
          ],
        },
      },
      {
        disk_setup: {
          '/dev/sdb': {
            layout: [
              [50, 'fd'],
              [50, '0fc63daf-8483-4772-8e79-3d69d8477de4'],
            ],
          },
        },
      },
    ],
    [
      'file systems alone',
      { diskSetup: { filesystems: [{ device: '/dev/sdb', filesystem: 'ext4', partition: '1' }] } },
      { fs_setup: [{ filesystem: 'ext4', device: '/dev/sdb', partition: 1 }] },
    ],
    ['time without servers', { ntp: { enabled: false } }, { ntp: { enabled: false } }],
    [
      'mounts that look like numbers',
      { mounts: [['LABEL=a', '/a', 'auto', 'defaults', '0', '2']] },
      { mounts: [['LABEL=a', '/a', 'auto', 'defaults', '0', '2']] },
    ],
  ] satisfies [string, Partial<MachineSetup>, object][])('writes %s', (_name, changes, expected) => {
    expect(sections(changes)).toMatchObject(expected);
  });

  it('writes no section without content', () => {
    expect(Object.keys(sections({ ntp: {}, diskSetup: {} }))).toEqual(['write_files', 'runcmd']);
  });

  it('escapes malicious text in every field', () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
        const read = sections({
          bootCommands: texts,
          preKubeadmCommands: texts,
          postKubeadmCommands: texts,
          mounts: [texts],
          ntp: { servers: texts },
          users: texts.map((name) => ({ name, gecos: name, passwd: name, sshAuthorizedKeys: texts })),
          files: texts.map((path) => ({ path, owner: path, permissions: path, content: `${path}\n` })),
        });
        expect(read['bootcmd']).toEqual(texts);
        expect(read['runcmd']).toEqual([...texts, expect.stringContaining('kubeadm join'), ...texts]);
        expect(read['mounts']).toEqual([texts]);
        expect(read['ntp']).toEqual({ servers: texts });
        expect(read['users']).toEqual(
          texts.map((name) => ({ name, gecos: name, passwd: name, ssh_authorized_keys: texts })),
        );
        const files = (
          read['write_files'] as { path: string; owner: string; permissions: string; content: string }[]
        ).slice(0, -2);
        expect(files.map(({ path, owner, permissions }) => ({ path, owner, permissions }))).toEqual(
          texts.map((path) => ({ path, owner: path, permissions: path })),
        );
        const trimmed = (content: string): string => content.replace(/\n+$/, '');
        expect(files.map((file) => trimmed(file.content))).toEqual(texts.map(trimmed));
      }),
    );
  });
});
