import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { advertisedAddress } from '@slipway/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killPlanes, slipway, startPlane } from './support/command.js';
import { kubeRequest } from './support/kube-request.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-api-only-'));
});
afterEach(async () => {
  await killPlanes();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'web', image: 'web' }] },
};

/** Sends a request without credentials, on loopback. */
function anonymousStatus(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('--controllers', () => {
  it('none leaves objects alone that controllers would create or delete', async () => {
    const { kubeconfig } = await startPlane(at('data'), '--api-only', '--controllers=none');
    await kubeRequest(kubeconfig, 'POST', '/api/v1/namespaces', namespace('alone'));
    const created = await kubeRequest(kubeconfig, 'POST', '/api/v1/namespaces/alone/pods', pod);
    expect(created.status).toBe(201);
    await kubeRequest(kubeconfig, 'DELETE', '/api/v1/namespaces/alone');
    const { body } = await kubeRequest(kubeconfig, 'GET', '/api/v1/namespaces/alone');
    expect(body).toMatchObject({ status: { phase: 'Terminating' } });
    for (const resource of ['serviceaccounts', 'configmaps'])
      expect((await kubeRequest(kubeconfig, 'GET', `/api/v1/namespaces/alone/${resource}`)).body['items']).toEqual([]);
  });

  it('with a list runs only the named controllers', async () => {
    const { kubeconfig } = await startPlane(at('data'), '--api-only', '--controllers=*,-serviceaccount-controller');
    await kubeRequest(kubeconfig, 'POST', '/api/v1/namespaces', namespace('some'));
    const path = '/api/v1/namespaces/some/configmaps/kube-root-ca.crt';
    await expect.poll(async () => (await kubeRequest(kubeconfig, 'GET', path)).status).toBe(200);
    const accounts = await kubeRequest(kubeconfig, 'GET', '/api/v1/namespaces/some/serviceaccounts');
    expect(accounts.body['items']).toEqual([]);
  });

  it('rejects unknown names, and planes with Cluster API', async () => {
    const unknown = await slipway('up', '--api-only', '--controllers=nothing', '--data-dir', at('data'));
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown controller "nothing"') as string,
    });
    const whole = await slipway('up', '--controllers=none', '--data-dir', at('data'));
    expect(whole).toMatchObject({ code: 2, stderr: expect.stringContaining('requires --api-only') as string });
  });
});

it('advertises an address of the host in the endpoints of the service kubernetes, also on loopback', async () => {
  const { kubeconfig, endpoint } = await startPlane(at('data'), '--api-only');
  const ip = advertisedAddress('127.0.0.1');
  const port = Number(new URL(endpoint).port);
  const path = '/api/v1/namespaces/default/endpoints/kubernetes';
  await expect.poll(async () => (await kubeRequest(kubeconfig, 'GET', path)).status).toBe(ip === undefined ? 404 : 200);
  if (ip === undefined) return;
  const { body } = await kubeRequest(kubeconfig, 'GET', path);
  expect(body).toMatchObject({ subsets: [{ addresses: [{ ip }], ports: [{ name: 'https', port }] }] });
  const slice = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';
  await expect
    .poll(async () => (await kubeRequest(kubeconfig, 'GET', slice)).body['endpoints'])
    .toMatchObject([{ addresses: [ip], conditions: { ready: true } }]);
});

describe('--authentication-config', () => {
  const write = (anonymous: object): void =>
    writeFileSync(
      at('authentication.yaml'),
      JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration', anonymous }),
    );

  it('applies changes of the file while the plane runs, and keeps the last valid version', async () => {
    write({ enabled: true });
    const plane = await startPlane(at('data'), '--api-only', '--authentication-config', at('authentication.yaml'));
    const anonymous = (): Promise<number> => anonymousStatus(`${plane.endpoint}/version`);
    expect(await anonymous()).toBe(200);
    write({ enabled: false });
    await expect.poll(anonymous).toBe(401);
    write({ enabled: 'maybe', other: 1 });
    write({ enabled: true, conditions: [{ path: '/version' }] });
    await expect.poll(anonymous).toBe(200);
  });

  it('rejects an invalid file with the path of the field', async () => {
    writeFileSync(
      at('authentication.yaml'),
      'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer: {url: "http://a"}\n',
    );
    const file = at('authentication.yaml');
    const outcome = await slipway('up', '--api-only', '--data-dir', at('data'), '--authentication-config', file);
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toContain(`${file}: jwt[0].issuer.url: "http://a" is not a URL with the scheme https`);
  });
});
