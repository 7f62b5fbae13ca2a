import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { killPlanes, slipway, startPlane } from './support/command.js';
import { kubeRequest } from './support/kube-request.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-certs-'));
});
afterEach(async () => {
  await killPlanes();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
const whoAmI = (kubeconfig: string): Promise<{ readonly status: number }> =>
  kubeRequest(kubeconfig, 'POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'SelfSubjectReview',
  });

it('replaces the administrator and, with --ca, makes earlier kubeconfigs invalid', async () => {
  const up = (name: string, port = '0') =>
    startPlane(at('data'), '--api-only', '--kubeconfig', at(name), '--port', port);
  const first = await up('first.conf');
  const { port } = new URL(first.endpoint);
  const busy = await slipway('certs', 'rotate', '--data-dir', at('data'));
  expect(busy).toMatchObject({ code: 4, stderr: expect.stringContaining('is in use by process') as string });
  await slipway('down', '--data-dir', at('data'));

  const rotated = await slipway('certs', 'rotate', '--data-dir', at('data'));
  expect(rotated.stdout).toContain('Removed the certificates of the server and the administrator in');
  await up('second.conf', port);
  expect(readFileSync(at('second.conf'), 'utf8')).not.toBe(readFileSync(at('first.conf'), 'utf8'));
  expect((await whoAmI(at('second.conf'))).status).toBe(201);
  // Without revocation, the previous certificate is valid until it expires.
  expect((await whoAmI(at('first.conf'))).status).toBe(201);
  await slipway('down', '--data-dir', at('data'));

  expect((await slipway('certs', 'rotate', '--ca', '--data-dir', at('data'))).code).toBe(0);
  await up('third.conf', port);
  expect((await whoAmI(at('third.conf'))).status).toBe(201);
  await expect(whoAmI(at('second.conf'))).rejects.toThrow(/certificate|self-signed|signature/);
});

it('needs the data directory of a plane', async () => {
  const result = await slipway('certs', 'rotate', '--data-dir', at('none'));
  expect(result.code).not.toBe(0);
  expect(result.stderr).toContain('no certificates found in');
});
