import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killPlanes, slipway, startPlane } from './support/command.js';
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

  it('rejects --quick-start with --api-only', async () => {
    const { code, stderr } = await slipway('up', '--quick-start', '--api-only', '--data-dir', folder);
    expect(code).toBe(2);
    expect(stderr).toContain('--quick-start cannot be combined with --api-only');
  });
});
