import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killPlanes, type Plane, slipway, startPlane } from './support/command.js';
import { kubeRequest } from './support/kube-request.js';

interface AuditEvent {
  readonly level: string;
  readonly stage: string;
  readonly verb: string;
  readonly auditID: string;
  readonly objectRef?: { readonly name?: string };
  readonly requestObject?: unknown;
}

const folder = mkdtempSync(join(tmpdir(), 'slipway-audit-'));
const at = (name: string): string => join(folder, name);
const received: AuditEvent[] = [];
let collector: Server;
let plane: Plane;

const policy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- {level: Metadata, resources: [{group: "", resources: [secrets]}]}
- {level: Request, resources: [{group: "", resources: [configmaps]}]}
`;

beforeAll(async () => {
  collector = createServer((request, response) => {
    void json(request).then((body) => {
      received.push(...(body as { items: AuditEvent[] }).items);
      response.end();
    });
  });
  await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  writeFileSync(at('policy.yaml'), policy);
  writeFileSync(
    at('webhook.conf'),
    JSON.stringify({
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}/events` } }],
      contexts: [{ name: 'c', context: { cluster: 'c' } }],
      'current-context': 'c',
    }),
  );
  const flags = ['--api-only', '--audit-policy-file', at('policy.yaml'), '--audit-log-path', at('audit.log')];
  const webhook = ['--audit-webhook-config-file', at('webhook.conf'), '--audit-webhook-batch-max-wait', '100ms'];
  plane = await startPlane(at('data'), ...flags, ...webhook);
});
afterAll(async () => {
  await killPlanes();
  await new Promise((resolve) => collector.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const eventsInLog = (): AuditEvent[] =>
  readFileSync(at('audit.log'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditEvent);

describe('the audit log of a management plane', () => {
  it('contains requests as the policy selects, and the webhook receives the same events', async () => {
    const core = '/api/v1/namespaces/default';
    const metadata = { name: 'audited' };
    await kubeRequest(plane.kubeconfig, 'POST', `${core}/secrets`, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      stringData: { password: 'value-of-the-secret' },
    });
    await kubeRequest(plane.kubeconfig, 'POST', `${core}/configmaps`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { color: 'green' },
    });
    const events = eventsInLog();
    expect(events).toMatchObject([
      { level: 'Metadata', verb: 'create', objectRef: { resource: 'secrets', name: 'audited', namespace: 'default' } },
      { level: 'Request', verb: 'create', requestObject: { kind: 'ConfigMap', data: { color: 'green' } } },
    ]);
    expect(readFileSync(at('audit.log'), 'utf8')).not.toContain(Buffer.from('value-of-the-secret').toString('base64'));
    await expect.poll(() => received.map(({ auditID }) => auditID)).toEqual(events.map(({ auditID }) => auditID));
  });

  it.each([
    ['a destination without a policy', ['--audit-log-path', '-'], '--audit-policy-file'],
    ['a policy without a destination', ['--audit-policy-file', at('policy.yaml')], '--audit-log-path'],
    [
      'a policy that does not exist',
      ['--audit-policy-file', at('none'), '--audit-log-path', '-'],
      'no such file or directory',
    ],
    [
      'an invalid policy',
      ['--audit-policy-file', at('webhook.conf'), '--audit-log-path', '-'],
      'apiVersion audit.k8s.io/v1',
    ],
  ])('rejects %s', async (_name, flags, message) => {
    const result = await slipway('up', '--port', '0', '--data-dir', at('other'), ...flags);
    expect(result.code).not.toBe(0);
    expect(result.stderr).toContain(message);
  });
});
