import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { killPlanes, slipway, startPlane } from './support/command.js';
import { installedSlipway } from './support/installed.js';
import { kubeRequest } from './support/kube-request.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-quick-start-'));
});
afterEach(async () => {
  await killPlanes();
  rmSync(folder, { recursive: true, force: true });
});

describe('slipway up --quick-start', () => {
  it('creates a cluster that kubectl can reach, and prints its progress', async () => {
    const plane = await startPlane(folder, '--quick-start');
    const output = await plane.waitForOutput('get nodes');
    expect(output).toMatch(
      /KubeadmControlPlane default\/quick-start[^]*Cluster default\/quick-start: 3\/3 ready, Available/,
    );
    const kubeconfig = join(folder, 'quick-start.conf');
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
    const { body } = await kubeRequest(kubeconfig, 'GET', '/api/v1/nodes');
    expect(body['items']).toHaveLength(3);
    const { body: listed } = await kubeRequest(plane.kubeconfig, 'GET', '/debug/changes');
    expect(listed['changes']).toContainEqual(
      expect.objectContaining({ object: expect.objectContaining({ kind: 'Cluster', name: 'quick-start' }) }),
    );
    expect(JSON.stringify(listed)).not.toMatch(/BEGIN [A-Z ]*PRIVATE KEY/);
  });

  it('writes the log only to the log file, not between the progress lines', async () => {
    const args = [installedSlipway, 'up', '--quick-start', '--port', '0', '--data-dir', folder];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = once(child, 'close');
    let stdout = '';
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (stdout.includes('slipway delete cluster quick-start')) child.kill('SIGTERM');
    });
    expect(await exited).toEqual([0, null]);
    expect(stdout).toContain('Cluster default/quick-start: 3/3 ready, Available');
    expect(stderr).toBe('');
    expect(readFileSync(join(folder, 'slipway.log'), 'utf8')).toMatch(/"msg":"Created object"[^]*"msg":"Stopped"/);
  });

  it('rejects --quick-start with --api-only', async () => {
    const { code, stderr } = await slipway('up', '--quick-start', '--api-only', '--data-dir', folder);
    expect(code).toBe(2);
    expect(stderr).toContain('--quick-start cannot be combined with --api-only');
  });
});
