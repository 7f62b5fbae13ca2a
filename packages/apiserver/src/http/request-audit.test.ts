import { VirtualClock } from '@slipway/base';
import { unauthorized } from '@slipway/kube';
import { Registry as MetricsRegistry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { Auditor, parseAuditPolicy } from '../audit/index.js';
import type { ApiHandlerOptions } from './api-handler.js';
import { bodyText, createBench, type TestBench, testRequest } from './test-support.js';

interface SeenEvent {
  readonly stage: string;
  readonly [field: string]: unknown;
}

interface AuditBench extends TestBench {
  readonly events: SeenEvent[];
}

function auditBench(rules: string, changes: Partial<ApiHandlerOptions> = {}): AuditBench {
  const events: SeenEvent[] = [];
  const auditor = new Auditor({
    policy: parseAuditPolicy(`apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: ${rules}`),
    backends: [
      {
        name: 'test',
        accept: (event) => void events.push(JSON.parse(event) as SeenEvent),
        close: () => Promise.resolve(),
      },
    ],
    clock: new VirtualClock(),
    metrics: new MetricsRegistry(),
  });
  const jane = { username: 'jane', groups: ['system:authenticated'] };
  const resolveUser: ApiHandlerOptions['resolveUser'] = (_credentials, _access, observer) => {
    observer?.authenticated(jane);
    return jane;
  };
  return { ...createBench({ auditor, resolveUser, ...changes }), events };
}

const maps = '/api/v1/namespaces/shop/configmaps';
const json = { 'content-type': 'application/json' };
const map = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'a', namespace: 'shop', managedFields: [{ manager: 'm' }] },
  data: { plain: 'value' },
};

describe('audit events', () => {
  it('records who requested what at the level Metadata, without bodies', async () => {
    const { handler, events, registry } = auditBench('[{level: Metadata}]');
    registry.put(map);
    const response = await handler.handle(
      testRequest('GET', `${maps}/a?pretty=0`, {
        headers: { 'audit-id': 'mine', 'user-agent': 'test/1.0', 'x-forwarded-for': '10.0.0.9, x' },
      }),
    );
    expect(response.headers['audit-id']).toBe('mine');
    const common = {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      auditID: 'mine',
      requestURI: `${maps}/a?pretty=0`,
      verb: 'get',
      user: { username: 'jane', groups: ['system:authenticated'] },
      sourceIPs: ['10.0.0.9', '127.0.0.1'],
      userAgent: 'test/1.0',
      objectRef: { resource: 'configmaps', namespace: 'shop', name: 'a', apiVersion: 'v1' },
      requestReceivedTimestamp: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/) as unknown,
      stageTimestamp: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/) as unknown,
    };
    expect(events).toEqual([
      { ...common, stage: 'RequestReceived' },
      {
        ...common,
        stage: 'ResponseComplete',
        responseStatus: { metadata: {}, code: 200 },
        annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' },
      },
    ]);
  });

  it('contains no event for requests of the level None', async () => {
    const { handler, events } = auditBench('[{level: None, nonResourceURLs: ["/healthz*"]}, {level: Metadata}]');
    await handler.handle(testRequest('GET', '/healthz'));
    expect(events).toEqual([]);
  });

  it('contains the request object at the level Request and above, and the response object at RequestResponse', async () => {
    for (const level of ['Metadata', 'Request', 'RequestResponse']) {
      const { handler, events, registry } = auditBench(
        `[{level: ${level}, omitStages: [RequestReceived], omitManagedFields: true}]`,
      );
      registry.put(map);
      const patch = { headers: { 'content-type': 'application/merge-patch+json' }, body: '{"data":{"b":"c"}}' };
      await handler.handle(testRequest('PATCH', `${maps}/a`, patch));
      const { managedFields: _removed, ...metadata } = map.metadata;
      expect(events).toHaveLength(1);
      expect(events[0]?.['requestObject']).toEqual(level === 'Metadata' ? undefined : { data: { b: 'c' } });
      expect(events[0]?.['responseObject']).toEqual(level === 'RequestResponse' ? { ...map, metadata } : undefined);
    }
  });

  it('copies the Status of a denied request and names the user in the request log', async () => {
    const lines: unknown[] = [];
    const { handler, events } = auditBench('[{level: Metadata, omitStages: [RequestReceived]}]', {
      authorizer: { authorize: () => ({ allowed: false, reason: 'no rule' }) },
      logger: { debug: (fields: unknown) => lines.push(fields) } as never,
    });
    const response = await handler.handle(testRequest('GET', `${maps}/a`));
    expect(response.status).toBe(403);
    expect(events[0]).toMatchObject({
      stage: 'ResponseComplete',
      responseStatus: { status: 'Failure', reason: 'Forbidden', code: 403, details: { kind: 'configmaps', name: 'a' } },
      annotations: { 'authorization.k8s.io/decision': 'forbid', 'authorization.k8s.io/reason': 'no rule' },
    });
    expect(lines).toEqual([expect.objectContaining({ user: 'jane', status: 403 })]);
  });

  it('records a failed authentication without the credentials', async () => {
    const { handler, events } = auditBench('[{level: RequestResponse}]', {
      resolveUser: () => {
        throw unauthorized();
      },
    });
    await handler.handle(testRequest('GET', maps, { headers: { authorization: 'Bearer very-secret' } }));
    expect(JSON.stringify(events)).not.toContain('very-secret');
    expect(events).toMatchObject([
      {
        stage: 'ResponseStarted',
        user: {},
        responseStatus: { status: 'Failure', message: 'Unauthorized', reason: 'Unauthorized', code: 401 },
      },
    ]);
  });

  it('records start and end of a watch', async () => {
    const { handler, events, registry } = auditBench('[{level: RequestResponse}]');
    const response = await handler.handle(testRequest('GET', `${maps}?watch=true`));
    expect(events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseStarted']);
    const body = response.body as (sink: unknown) => Promise<void>;
    const streamed = body({ write: () => true, onClose: () => undefined });
    registry.watches[0]?.push(undefined);
    await streamed;
    expect(events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
  });

  it('records the stage Panic for an unexpected failure', async () => {
    const { handler, events, registry } = auditBench('[{level: Metadata, omitStages: [RequestReceived]}]');
    registry.intercept = () => {
      throw new TypeError('broken');
    };
    const response = await handler.handle(testRequest('GET', `${maps}/a`));
    expect(response.status).toBe(500);
    expect(events).toMatchObject([
      { stage: 'Panic', responseStatus: { code: 500, message: "APIServer panic'd: broken" } },
    ]);
  });

  it('records the options and the Status of a delete', async () => {
    const { handler, events } = auditBench('[{level: Request, omitStages: [RequestReceived]}]');
    const body = JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' });
    const response = await handler.handle(testRequest('DELETE', `${maps}/a`, { headers: json, body }));
    expect(bodyText(response)).toContain('Success');
    expect(events[0]).toMatchObject({
      requestObject: { kind: 'DeleteOptions', propagationPolicy: 'Background' },
      responseStatus: { status: 'Success', code: 200, details: { name: 'a', kind: 'configmaps', uid: 'u-1' } },
    });
  });
});
