import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom, silentLogger, VirtualClock } from '@slipway/base';
import {
  applyJsonPatch,
  decodeJsonPatch,
  deepEqual,
  forbidden,
  type JsonValue,
  type KubeObject,
  type MutableJsonObject,
} from '@slipway/kube';
import { certificateToPem, parseCertificates } from '@slipway/pki';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { mutatingWebhookConfigurations, secrets, validatingWebhookConfigurations } from '../builtin-resources/index.js';
import { FakeApi } from '../testing/fake-api.js';
import { fileCertificates, injectCaBundle, SecretCertificates, WebhookServer, webhookPath } from './index.js';
import { jsonDiff } from './json-diff.js';

const hosts = ['webhooks.sys.svc', '127.0.0.1'];
const secret = { namespace: 'sys', name: 'webhook-cert' };
const dayMs = 86_400_000;

const servers: WebhookServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

// Opens a server. Its virtual clock starts at real time, because TLS verifies certificates against real time.
function open(): {
  clock: VirtualClock;
  api: FakeApi;
  certificates: SecretCertificates;
  server: WebhookServer;
  bundles: string[];
} {
  const clock = new VirtualClock(Date.now());
  const api = new FakeApi(clock);
  const bundles: string[] = [];
  const common = { clock, logger: silentLogger };
  const certificates = new SecretCertificates({
    ...common,
    client: api.client(),
    random: seededRandom(1),
    secret,
    hosts,
  });
  const onCaBundle = async (bundle: string): Promise<void> => void bundles.push(bundle);
  const server = new WebhookServer({
    ...common,
    address: '127.0.0.1:0',
    certificates,
    onCaBundle,
    checkMs: dayMs * 100,
  });
  servers.push(server);
  return { clock, api, certificates, server, bundles };
}

function post(
  port: number,
  ca: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<{ status: number; body: Record<string, unknown>; keepAlive: string | undefined }> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, ca, path, method: 'POST', headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: JSON.parse(text) as Record<string, unknown>,
          keepAlive: response.headers['keep-alive'] as string | undefined,
        }),
      );
    });
    call.on('error', reject);
    call.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

const review = (object: object, operation = 'CREATE'): object => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    uid: 'u1',
    kind: { group: 'x.io', version: 'v1', kind: 'Thing' },
    resource: { group: 'x.io', version: 'v1', resource: 'things' },
    operation,
    userInfo: {},
    object,
  },
});
const thing = { apiVersion: 'x.io/v1', kind: 'Thing', metadata: { name: 't' }, spec: { size: 1 } };

describe('the webhook server', () => {
  it('keeps idle connections longer than kube-apiserver, which fails a request on a connection that the server closes', async () => {
    const { server, bundles } = open();
    server.validate('/validate-x-io-v1-thing', () => ({ allowed: true }));
    await server.start();
    const kept = { 'content-type': 'application/json', connection: 'keep-alive' };
    const { keepAlive } = await post(server.port, bundles[0] ?? '', '/validate-x-io-v1-thing', review(thing), kept);
    expect(Number(/timeout=(\d+)/.exec(keepAlive ?? '')?.[1])).toBeGreaterThan(90);
  });

  it('serves validation, mutation and conversion with a certificate that it issued itself', async () => {
    const { server, bundles } = open();
    server
      .validate('/validate-x-io-v1-thing', ({ object }) => {
        if ((object as typeof thing).spec.size > 9)
          throw forbidden({ group: 'x.io', resource: 'things' }, 't', 'too big');
        return { allowed: true, warnings: ['size is deprecated'] };
      })
      .mutate('/mutate-x-io-v1-thing', ({ object }) => {
        (object as KubeObject & { spec: { size: number; colour?: string } }).spec.colour = 'red';
      })
      .convert((object, apiVersion) => ({ ...object, apiVersion }));
    await server.start();
    const ca = bundles[0] ?? '';
    expect((await post(server.port, ca, '/validate-x-io-v1-thing', review(thing))).body).toEqual({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: 'u1', allowed: true, warnings: ['size is deprecated'] },
    });
    const refused = await post(server.port, ca, '/validate-x-io-v1-thing', review({ ...thing, spec: { size: 10 } }));
    expect(refused.body['response']).toMatchObject({
      allowed: false,
      status: { code: 403, reason: 'Forbidden', message: 'things.x.io "t" is forbidden: too big' },
    });
    const mutated = (await post(server.port, ca, '/mutate-x-io-v1-thing', review(thing))).body['response'] as Record<
      string,
      string
    >;
    expect(mutated['patchType']).toBe('JSONPatch');
    expect(JSON.parse(Buffer.from(mutated['patch'] ?? '', 'base64').toString())).toEqual([
      { op: 'add', path: '/spec/colour', value: 'red' },
    ]);
    const conversion = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      request: { uid: 'u2', desiredAPIVersion: 'x.io/v2', objects: [thing] },
    };
    expect((await post(server.port, ca, '/convert', conversion)).body['response']).toEqual({
      uid: 'u2',
      convertedObjects: [{ ...thing, apiVersion: 'x.io/v2' }],
      result: { status: 'Success' },
    });
  });

  it('rejects invalid requests', async () => {
    const { server, bundles } = open();
    server.validate('/v', () => undefined).convert(() => ({ apiVersion: 'x.io/v2', kind: 'Other', metadata: {} }));
    await server.start();
    const ca = bundles[0] ?? '';
    expect((await post(server.port, ca, '/elsewhere', {})).status).toBe(404);
    expect((await post(server.port, ca, '/v', '{')).status).toBe(400);
    expect((await post(server.port, ca, '/v', '[]')).status).toBe(400);
    expect((await post(server.port, ca, '/v', { kind: 'AdmissionReview' })).status).toBe(400);
    expect((await post(server.port, ca, '/v', review(thing), { 'content-type': 'text/plain' })).status).toBe(400);
    const conversion = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      request: { uid: 'u', desiredAPIVersion: 'x.io/v2', objects: [thing] },
    };
    expect((await post(server.port, ca, '/convert', conversion)).body['response']).toMatchObject({
      convertedObjects: [],
      result: { status: 'Failure', message: 'conversion of Thing t to x.io/v2 returned Other of x.io/v2' },
    });
  });

  it('replaces its certificate before it expires, without a restart', async () => {
    const { server, clock, bundles } = open();
    server.validate('/v', () => undefined);
    await server.start();
    const first = (await post(server.port, bundles[0] ?? '', '/v', review(thing))).status;
    await clock.advance(61 * dayMs);
    await server.rotate();
    // In real time the new certificate is not valid yet. The client rejects it for that reason, which proves that it is served.
    const second = await post(server.port, bundles[0] ?? '', '/v', review(thing)).catch(
      (error: { code?: string }) => error.code,
    );
    expect([first, second]).toEqual([200, 'CERT_NOT_YET_VALID']);
  });
});

describe('SecretCertificates', () => {
  it('shares a certificate between replicas until a third of its validity is left', async () => {
    const { api, clock, certificates } = open();
    const other = new SecretCertificates({
      client: api.client(),
      clock,
      random: seededRandom(2),
      logger: silentLogger,
      secret,
      hosts,
    });
    const [one, two] = await Promise.all([certificates.current(), other.current()]);
    expect(two).toEqual(one);
    await clock.advance(59 * dayMs);
    expect((await other.current()).cert).toBe(one.cert);
    await clock.advance(2 * dayMs);
    const renewed = await other.current();
    expect(renewed.cert).not.toBe(one.cert);
    expect(renewed.caBundle).toBe(one.caBundle);
  });

  it('keeps the old CA in the bundle until it expires', async () => {
    const { certificates, clock } = open();
    const old = await certificates.current();
    await clock.advance(2_500 * dayMs);
    const next = await certificates.current();
    const authorities = parseCertificates(next.caBundle).map((each) => certificateToPem(each));
    expect(authorities).toHaveLength(2);
    expect(authorities).toContain(certificateToPem(parseCertificates(old.caBundle)[0] as { der: Uint8Array }));
  });

  it('replaces an invalid Secret', async () => {
    const { api, certificates } = open();
    await certificates.current();
    await api.client().patch(secrets, secret, { type: 'merge', patch: { data: { 'ca.key': 'bm9uc2Vuc2U=' } } });
    expect((await certificates.current()).cert).toContain('BEGIN CERTIFICATE');
  });

  it('injects the CA bundle into webhook configurations and CRDs', async () => {
    const { api } = open();
    const client = api.client();
    const hook = {
      name: 'a',
      clientConfig: { url: 'https://x' },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    };
    const named = { metadata: { name: 'slipway' }, webhooks: [hook, { ...hook, name: 'b' }] };
    const version = 'admissionregistration.k8s.io/v1';
    await client.create(validatingWebhookConfigurations, {
      apiVersion: version,
      kind: 'ValidatingWebhookConfiguration',
      ...named,
    });
    await injectCaBundle(client, { validating: ['slipway'], mutating: ['absent'] }, 'PEM');
    const caBundle = Buffer.from('PEM').toString('base64');
    const stored = api.find(validatingWebhookConfigurations, { namespace: '', name: 'slipway' });
    expect(stored?.['webhooks']).toEqual([
      { ...hook, clientConfig: { url: 'https://x', caBundle } },
      { ...hook, name: 'b', clientConfig: { url: 'https://x', caBundle } },
    ]);
    const writes = api.writes.length;
    await injectCaBundle(client, { validating: ['slipway'] }, 'PEM');
    expect(api.writes).toHaveLength(writes);
    expect(api.find(mutatingWebhookConfigurations, { namespace: '', name: 'absent' })).toBeUndefined();
  });
});

it('computes the webhook paths of controller-runtime', () => {
  const cluster = { group: 'cluster.x-k8s.io', version: 'v1beta2', kind: 'Cluster' };
  expect(webhookPath('validate', cluster)).toBe('/validate-cluster-x-k8s-io-v1beta2-cluster');
});

it('computes a JSON patch that results in the other value', () => {
  const object = fc.dictionary(fc.constantFrom('a', 'b/c', 'd~e', '__proto__'), fc.jsonValue({ maxDepth: 3 }), {
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(object, object, (from, to) => {
      const left = JSON.parse(JSON.stringify(from)) as MutableJsonObject;
      const right = JSON.parse(JSON.stringify(to)) as JsonValue;
      const patch = decodeJsonPatch(JSON.parse(JSON.stringify(jsonDiff(left as JsonValue, right))));
      const result = applyJsonPatch(left, patch);
      expect(deepEqual(result, right)).toBe(true);
    }),
  );
});

describe('fileCertificates', () => {
  it('reads the certificate again at every check; the bundle may be missing', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'slipway-certificates-'));
    const source = fileCertificates({ directory, certificateName: 'a.crt', keyName: 'a.key' });
    await expect(source.current()).rejects.toThrow('ENOENT');
    await writeFile(join(directory, 'a.crt'), 'certificate');
    await writeFile(join(directory, 'a.key'), 'key');
    expect(await source.current()).toEqual({ cert: 'certificate', key: 'key', caBundle: '' });
    await writeFile(join(directory, 'ca.crt'), 'authority');
    expect(await source.current()).toMatchObject({ caBundle: 'authority' });
    await rm(directory, { recursive: true, force: true });
  });
});
