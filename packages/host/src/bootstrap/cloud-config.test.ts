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

  it('have an owner and permissions, given or not', () => {
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
  it('are texts for the shell or lists of words', () => {
    const { bootCommands, commands } = read("bootcmd: [[echo, 'a b', 1]]\nruncmd: ['x && y', [ls, -l]]");
    expect(bootCommands).toEqual([['echo', 'a b', '1']]);
    expect(commands).toEqual(['x && y', ['ls', '-l']]);
  });

  it('are a whole script when the data is one', () => {
    expect(readCloudConfig('#!/bin/bash\necho hi\n', {}).commands).toEqual(['#!/bin/bash\necho hi\n']);
  });

  it('keeps a locked password to itself', () => {
    const { users } = read(
      'users: [default, {name: a, passwd: hash, groups: "x, y", sudo: false}, {name: b, passwd: hash, lock_passwd: false, sudo: [one]}]',
    );
    expect(users).toEqual([
      { name: 'a', groups: ['x', 'y'], sudo: [], authorizedKeys: [] },
      { name: 'b', groups: [], passwordHash: 'hash', sudo: ['one'], authorizedKeys: [] },
    ]);
  });
});

describe('what is refused', () => {
  it.each([
    { name: 'Ignition', data: '{"ignition":{}}', says: 'is no cloud-config' },
    { name: 'no YAML', data: '#cloud-config\na: [secret', says: 'no valid YAML' },
    { name: 'a list', data: '#cloud-config\n- a\n', says: 'no mapping' },
    { name: 'commands that are none', data: '#cloud-config\nruncmd: x', says: 'runcmd of the cloud-config is no list' },
    { name: 'a disk', data: '#cloud-config\nmounts: [[a, b]]', says: 'has mounts, and a HostMachine has no disks' },
    { name: 'a relative path', data: '#cloud-config\nwrite_files: [{path: a}]', says: 'without an absolute path' },
    {
      name: 'odd permissions',
      data: "#cloud-config\nwrite_files: [{path: /a, permissions: 'rwx'}]",
      says: 'no octal number',
    },
    {
      name: 'a false archive',
      data: '#cloud-config\nwrite_files: [{path: /a, encoding: gz+b64, content: secret}]',
      says: 'not compressed',
    },
    {
      name: 'an encoding',
      data: '#cloud-config\nwrite_files: [{path: /a, encoding: rot13, content: secret}]',
      says: 'encoding of /a is not known',
    },
    { name: 'a user', data: '#cloud-config\nusers: [{name: "a b"}]', says: 'no valid name' },
  ])('$name', ({ data, says }) => {
    const error = (() => {
      try {
        return readCloudConfig(data, {});
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(BootstrapDataError);
    expect((error as Error).message).toContain(says);
    expect((error as Error).message).not.toContain('secret');
  });
});

describe('what our own bootstrap provider writes', () => {
  const folder = new URL('../../../kubeadm/src/bootstrap-data/testdata/', import.meta.url);
  const textOf = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
  // The hostile one has texts that the template language takes for its own, as it does in cloud-init.
  const names = readdirSync(folder).filter((name) => /^(init|control-plane|worker)(?!.*hostile).*\.yaml$/.test(name));
  const hasDisks = (name: string): boolean => /^(disk_setup|mounts):/m.test(textOf(name));
  it.each(names.filter(hasDisks))('%s is refused, since it wants disks', (name) => {
    expect(() => readCloudConfig(textOf(name), {})).toThrow('a HostMachine has no disks of its own');
  });
  it.each(names.filter((name) => !hasDisks(name)))('%s is understood', (name) => {
    const { files, commands } = readCloudConfig(textOf(name), {});
    expect(files.map(({ path }) => path)).toContain('/run/cluster-api/placeholder');
    expect(commands.join('\n')).toMatch(/kubeadm (init|join) --config \/run\/kubeadm\/kubeadm(-join-config)?\.yaml/);
  });
});
