import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { slipway } from './support/command.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-image-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each([
  {
    name: 'a directory without programs',
    version: 'v1.36.3',
    expected:
      /does not contain kubelet, kubeadm, containerd, containerd-shim-runc-v2, ctr, runc\n {2}→ copy them to that directory or to /,
  },
  {
    name: 'an invalid version',
    version: 'newest',
    expected: /newest is not a Kubernetes version\n {2}→ use a version such as v1\.36\.3/,
  },
])('slipway image prepare rejects $name with a remedy', async ({ version, expected }) => {
  const flags = ['--kubernetes-version', version, '--from', folder, '--data-dir', join(folder, 'data')];
  const { code, stderr } = await slipway('image', 'prepare', ...flags);
  expect(stderr).toMatch(expected);
  expect(code).toBe(1);
});

it('slipway image prepare requires a version', async () => {
  const { code, stderr } = await slipway('image', 'prepare', '--from', folder);
  expect(stderr).toContain("required option '--kubernetes-version <version>' not specified");
  expect(code).toBe(2);
});
