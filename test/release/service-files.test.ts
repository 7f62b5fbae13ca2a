import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../support/run-command.js';
import { ensureRelease, releaseFile } from './release-files.js';

let folder = '';
beforeAll(() => {
  ensureRelease();
  folder = mkdtempSync(join(tmpdir(), 'slipway-service-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('systemd accepts the unit', async () => {
  const installed = readFileSync(releaseFile(/^slipway\.service$/), 'utf8');
  const unit = join(folder, 'slipway.service');
  // systemd requires that the program exists.
  writeFileSync(unit, installed.replaceAll('/usr/local/bin/slipway', releaseFile(/-linux-(?:x64|arm64)$/)));
  const { code, stdout, stderr } = await runCommand('systemd-analyze', ['verify', unit]);
  expect({ code, output: stdout + stderr }).toEqual({ code: 0, output: '' });
});

it('buildah builds the Containerfile from the image of the release, which keeps its user and its command', async () => {
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  const buildah = async (command: string, ...args: readonly string[]): Promise<string> => {
    const env = { BUILDAH_ISOLATION: 'chroot' };
    const { code, stdout, stderr } = await runCommand('buildah', [command, ...storage, ...args], { env, cwd: folder });
    if (code !== 0) throw new Error(`buildah ${command} failed: ${stderr}`);
    return stdout.trim();
  };
  copyFileSync(releaseFile(/^Containerfile$/), join(folder, 'Containerfile'));
  const [, reference = ''] = /^FROM (\S+)$/m.exec(readFileSync(join(folder, 'Containerfile'), 'utf8')) ?? [];
  const id = await buildah('pull', '--quiet', `oci-archive:${releaseFile(/^slipway-\d.*-oci\.tar$/)}`);
  await buildah('tag', id, reference);
  await buildah('build', '--pull=never', '--format', 'docker', '--tag', 'slipway-up', '--file', 'Containerfile', '.');
  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', 'slipway-up')) as {
    readonly Docker: { readonly config: Readonly<Record<string, unknown>> };
  };
  expect(Docker.config).toMatchObject({
    User: '65532:65532',
    Entrypoint: ['slipway'],
    Cmd: ['up', '--bind', '0.0.0.0', '--log-format', 'json'],
    Volumes: { '/var/lib/slipway': {} },
    ExposedPorts: { '6443/tcp': {} },
    Healthcheck: { Test: ['CMD', 'slipway', 'status'] },
  });
});
