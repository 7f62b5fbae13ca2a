import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BootstrapDataError } from './bootstrap-data-error.js';
import { readCloudConfig } from './cloud-config.js';

const read = (body: string) => readCloudConfig(`#cloud-config\n${body}`, {});
const base64 = (content: Uint8Array): string => Buffer.from(content).toString('base64');

describe('files', () => {
  const zipped = base64(gzipSync('hello'));
  it.each([
    { encoding: '', content: 'hello' },
    { encoding: 'b64', content: base64(Buffer.from('hello')) },
    { encoding: 'base64', content: base64(Buffer.from('hello')) },
    { encoding: 'gz+b64', content: zipped },
    { encoding: 'gzip+base64', content: zipped },
    { encoding: 'GZIP+BASE64', content: zipped },
  ])('are decoded from "$encoding"', ({ encoding, content }) => {
    const { files } = read(`write_files: [{path: /a, encoding: '${encoding}', content: '${content}'}]`);
    expect(Buffer.from(files[0]?.content ?? []).toString()).toBe('hello');
  });

  it('have an owner and permissions, specified or by default', () => {
    const { files } = read(
      "write_files: [{path: /a, content: x}, {path: /b, content: 5, owner: 'a:b', permissions: '0600', append: true, defer: true}]",
    );
    expect(files).toMatchObject([
      { path: '/a', owner: 'root:root', permissions: '0644', append: false, deferred: false },
      { path: '/b', owner: 'a:b', permissions: '0600', append: true, deferred: true },
    ]);
  });
});

describe('commands and users', () => {
  it('are shell command lines or argument lists', () => {
    const { bootCommands, commands } = read("bootcmd: [[echo, 'a b', 1]]\nruncmd: ['x && y', [ls, -l]]");
    expect(bootCommands).toEqual([['echo', 'a b', '1']]);
    expect(commands).toEqual(['x && y', ['ls', '-l']]);
  });

  it('are the whole data when it is a shell script', () => {
    expect(readCloudConfig('#!/bin/bash\necho hi\n', {}).commands).toEqual(['#!/bin/bash\necho hi\n']);
  });

  it('does not set a locked password', () => {
    const { users } = read(
      'users: [default, {name: a, passwd: hash, groups: "x, y", sudo: false}, {name: b, passwd: hash, lock_passwd: false, sudo: [one]}]',
    );
    expect(users).toEqual([
      { name: 'a', groups: ['x', 'y'], sudo: [], authorizedKeys: [] },
      { name: 'b', groups: [], passwordHash: 'hash', sudo: ['one'], authorizedKeys: [] },
    ]);
  });
});

describe('rejected bootstrap data', () => {
  it.each([
    { name: 'Ignition', data: '{"ignition":{}}', message: 'is not a cloud-config' },
    { name: 'invalid YAML', data: '#cloud-config\na: [secret', message: 'not valid YAML' },
    { name: 'a list', data: '#cloud-config\n- a\n', message: 'not a mapping' },
    { name: 'invalid commands', data: '#cloud-config\nruncmd: x', message: 'runcmd of the cloud-config is not a list' },
    {
      name: 'a disk',
      data: '#cloud-config\nmounts: [[a, b]]',
      message: 'has mounts, but a HostMachine does not have its own disks',
    },
    { name: 'a relative path', data: '#cloud-config\nwrite_files: [{path: a}]', message: 'without an absolute path' },
    {
      name: 'odd permissions',
      data: "#cloud-config\nwrite_files: [{path: /a, permissions: 'rwx'}]",
      message: 'not an octal number',
    },
    {
      name: 'a false archive',
      data: '#cloud-config\nwrite_files: [{path: /a, encoding: gz+b64, content: secret}]',
      message: 'does not match its compression',
    },
    {
      name: 'an encoding',
      data: '#cloud-config\nwrite_files: [{path: /a, encoding: rot13, content: secret}]',
      message: 'encoding of /a is not supported',
    },
    { name: 'a user', data: '#cloud-config\nusers: [{name: "a b"}]', message: 'no valid name' },
  ])('$name', ({ data, message }) => {
    const error = (() => {
      try {
        return readCloudConfig(data, {});
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(BootstrapDataError);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain('secret');
  });
});

describe('data of the kubeadm bootstrap provider', () => {
  const folder = new URL('../../../kubeadm/src/bootstrap-data/testdata/', import.meta.url);
  const readSample = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
  // Excludes the hostile input, which contains text that is also template syntax. cloud-init would interpret it too.
  const names = readdirSync(folder).filter((name) => /^(init|control-plane|worker)(?!.*hostile).*\.yaml$/.test(name));
  const hasDisks = (name: string): boolean => /^(disk_setup|mounts):/m.test(readSample(name));
  it.each(names.filter(hasDisks))('%s is rejected because it needs disks', (name) => {
    expect(() => readCloudConfig(readSample(name), {})).toThrow('a HostMachine does not have its own disks');
  });
  it.each(names.filter((name) => !hasDisks(name)))('%s is supported', (name) => {
    const { files, commands } = readCloudConfig(readSample(name), {});
    expect(files.map(({ path }) => path)).toContain('/run/cluster-api/placeholder');
    expect(commands.join('\n')).toMatch(/kubeadm (init|join) --config \/run\/kubeadm\/kubeadm(-join-config)?\.yaml/);
  });
});
