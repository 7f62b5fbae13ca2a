import { describe, expect, it } from 'vitest';
import type { MachineSetup } from '../types.js';
import { dataUrl } from './ignition-config.js';
import { renderIgnition } from './render-ignition.js';

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

function withConfig(additionalConfig: string, strict = false): ReturnType<typeof renderIgnition> {
  return renderIgnition(setup, { containerLinuxConfig: { additionalConfig, strict } });
}

describe('renderIgnition', () => {
  it.each([
    ['gzip', { files: [{ path: '/a', content: '', encoding: 'gzip' }] }, 'does not support encoding gzip of file /a'],
    ['bad base64', { files: [{ path: '/a', content: '*', encoding: 'base64' }] }, 'content of file /a is not base64'],
    ['bad permissions', { files: [{ path: '/a', content: '', permissions: 'rwx' }] }, 'must be an octal number'],
    [
      'disk layouts',
      { diskSetup: { partitions: [{ device: '/dev/b', diskLayout: [{ percentage: 1 }] }] } },
      'diskLayout of /dev/b',
    ],
    ['mounts to nowhere', { mounts: [['a']] }, 'mount of a without a mount point'],
  ] satisfies [string, Partial<MachineSetup>, string][])('rejects %s', (_name, changes, message) => {
    expect(() => renderIgnition({ ...setup, ...changes }, undefined)).toThrow(message);
  });

  it('writes binary content', () => {
    expect(dataUrl(Uint8Array.of(0, 255, 97, 37))).toBe('data:,%00%FFa%25');
    expect(dataUrl("é-_.!~*'()")).toBe("data:,%C3%A9-_.!~*'()");
  });

  it('disables NTP when it is disabled in the spec', () => {
    expect(renderIgnition({ ...setup, ntp: { enabled: false, servers: ['a'] } }, undefined).value).not.toContain('ntp');
  });
});

describe('additional configuration', () => {
  it.each([
    ['no YAML', '{', 'invalid YAML'],
    ['no mapping', '- a', 'the document must be a mapping'],
    ['services of Container Linux', 'etcd: {}', 'etcd is not supported'],
    ['wrong types', 'systemd: {units: {}}', 'systemd.units must be a list'],
    ['odd sizes', 'storage: {disks: [{device: a, partitions: [{size: 1KiB}]}]}', 'multiple of 1MiB'],
    [
      'two sources',
      'storage: {files: [{path: a, contents: {inline: a, remote: {url: b}}}]}',
      'one of inline and remote.url',
    ],
    ['local files', 'storage: {files: [{path: a, contents: {local: a}}]}', 'contents.local is not supported'],
  ])('rejects %s', (_name, config, message) => {
    expect(() => withConfig(config)).toThrow(message);
  });

  it('warns about enabled units without an install section', () => {
    const unit =
      'systemd: {units: [{name: a.service, enabled: true, contents: "[Service]"}, {name: b.service, enabled: true}]}';
    expect(withConfig(unit).warnings).toEqual([expect.stringContaining('systemd.units[0]: unit is enabled')]);
  });

  it('rejects warnings in strict mode', () => {
    const config = 'storage: {files: [{path: /a, contents: {inline: a}}]}\nunknown: 1';
    expect(withConfig(config).warnings).toEqual([
      'unknown: Config has unrecognized key',
      'storage.files[0].mode: mode unspecified, defaulting to 0644',
    ]);
    expect(() => withConfig(config, true)).toThrow('strict is set, but the config has warnings: unknown');
  });
});
