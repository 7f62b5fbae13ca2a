import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { killPlanes, type Plane, slipway, startPlane } from './support/command.js';
import { type Answer, kubeRequest } from './support/kube-request.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-token-webhook-'));
const at = (name: string): string => join(folder, name);
const flag = '--authentication-token-webhook-config-file';
let webhook: Server;
let plane: Plane;
const asked: string[] = [];

beforeAll(async () => {
  webhook = createServer((request, response) => {
    void json(request).then((review) => {
      const { token } = (review as { spec: { token: string } }).spec;
      asked.push(token);
      const user = { username: 'jane', groups: ['dev'] };
      const status = token === 'known' ? { authenticated: true, user } : { error: 'unknown token' };
      response.end(JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', status }));
    });
  });
  await new Promise<void>((resolve) => void webhook.listen(0, '127.0.0.1', resolve));
  const { port } = webhook.address() as AddressInfo;
  const kubeconfig = {
    kind: 'Config',
    clusters: [{ name: 'w', cluster: { server: `http://127.0.0.1:${port}/authenticate` } }],
    contexts: [{ name: 'w', context: { cluster: 'w' } }],
    'current-context': 'w',
  };
  writeFileSync(at('webhook.conf'), JSON.stringify(kubeconfig));
  plane = await startPlane(at('data'), '--api-only', flag, at('webhook.conf'));
});
afterAll(async () => {
  await killPlanes();
  await new Promise((resolve) => webhook.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const review = (token: string): Promise<Answer> =>
  kubeRequest(plane.kubeconfig, 'POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token },
  });

it('accepts the users of the webhook, and asks it once per token', async () => {
  const accepted = { authenticated: true, user: { username: 'jane', groups: ['dev', 'system:authenticated'] } };
  expect((await review('known')).body['status']).toMatchObject(accepted);
  expect((await review('known')).body['status']).toMatchObject(accepted);
  expect((await review('other')).body['status']).toMatchObject({
    error: expect.stringContaining('unknown token') as string,
  });
  expect(asked).toEqual(['known', 'other']);
});

it('does not start with a file that is not a kubeconfig', async () => {
  writeFileSync(at('broken.conf'), 'kind: Pod');
  const result = await slipway('up', '--port', '0', '--data-dir', at('other'), flag, at('broken.conf'));
  expect(result.code).toBe(2);
  expect(result.stderr).toContain(flag);
});
