import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpsClient } from '../support/https-client.js';
import { peerBinary } from '../support/peer-process.js';
import { runCommand } from '../support/run-command.js';
import { type ServerPair, startServerPair } from '../support/server-under-test.js';
import { definition, definitions, version } from './requests/definition.js';

// OpenAPI documents of CRDs, compared with those of kube-apiserver, and the protobuf form as kubectl decodes it.
const cache = mkdtempSync(`${tmpdir()}/openapi-differential-`);
let pair: ServerPair;
let clients: readonly HttpsClient[];

const spec = {
  type: 'object',
  description: 'Desired state.',
  required: ['size'],
  properties: {
    size: { type: 'integer', format: 'int32', minimum: 1, maximum: 9, description: 'Number of parts.' },
    mode: { type: 'string', enum: ['fast', 'slow'], default: 'fast', description: 'Speed.' },
    port: { 'x-kubernetes-int-or-string': true, description: 'Name or number.' },
    labels: { type: 'object', additionalProperties: { type: 'string' }, description: 'Labels.' },
    items: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', required: ['name'], properties: { name: { type: 'string', pattern: '^a' } } },
    },
    any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    maybe: { type: 'string', nullable: true },
    template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const open = { schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } };
const crds = [
  definition({ plural: 'parts', kind: 'Part' }, [version('v1', { spec }, { subresources: { status: {} } })]),
  definition({ plural: 'blobs', kind: 'Blob' }, [{ name: 'v1', served: true, storage: true, ...open }], {
    scope: 'Cluster',
  }),
];

beforeAll(async () => {
  pair = await startServerPair();
  clients = [new HttpsClient(pair.theirs), new HttpsClient(pair.ours)];
  for (const client of clients)
    for (const crd of crds)
      await client.call({
        method: 'POST',
        path: definitions,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(crd),
      });
});
afterAll(async () => {
  for (const client of clients ?? []) client.close();
  await pair?.stop();
  rmSync(cache, { recursive: true, force: true });
});

interface Document {
  readonly paths: Record<string, Record<string, unknown>>;
  readonly definitions?: Record<string, unknown>;
  readonly components?: { readonly schemas: Record<string, unknown> };
}

/** Reads a document of both servers once both CRDs are in it. */
async function documents(path: string): Promise<readonly Document[]> {
  const read = (): Promise<Document[]> =>
    Promise.all(
      clients.map(async (client) => JSON.parse((await client.call({ method: 'GET', path })).text) as Document),
    );
  await expect
    .poll(async () =>
      (await read()).map(
        (document) => Object.keys(schemasOf(document)).filter((name) => name.startsWith('com.example')).length,
      ),
    )
    .toEqual([4, 4]);
  return read();
}

const schemasOf = (document: Document): Record<string, unknown> =>
  document.definitions ?? document.components?.schemas ?? {};

/** Removes texts of upstream: ours are our own. Descriptions of CRDs have no metadata beside them. */
function withoutProse(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutProse(item));
  if (typeof value !== 'object' || value === null) return key === 'description' ? '' : value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutProse(item, name)]));
}

describe.each(['/openapi/v2', '/openapi/v3/apis/example.com/v1'])('%s', (path) => {
  it.each(['com.example.v1.Part', 'com.example.v1.PartList', 'com.example.v1.Blob', 'com.example.v1.BlobList'])(
    'describes %s as kube-apiserver does',
    async (name) => {
      const [theirs, ours] = (await documents(path)).map((document) => withoutProse(schemasOf(document)[name]));
      expect(ours).toEqual(theirs);
    },
  );

  it('has the paths and operations of kube-apiserver', async () => {
    const [theirs, ours] = (await documents(path)).map(({ paths }) =>
      Object.fromEntries(
        Object.entries(paths)
          .filter(([url]) => url.startsWith('/apis/example.com/v1/') && !url.includes('/watch/'))
          .map(([url, item]) => [
            url,
            Object.keys(item)
              .filter((verb) => verb !== 'parameters')
              .sort(),
          ]),
      ),
    );
    expect(ours).toEqual(theirs);
  });
});

describe('the protobuf form of /openapi/v2', () => {
  it.each([
    'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
    'application/com.github.proto-openapi.spec.v2.v1.0+protobuf, application/json',
    'application/json, application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
    'text/html',
  ])('is sent as by kube-apiserver for Accept: %s', async (accept) => {
    const [theirs, ours] = await Promise.all(
      clients.map(async (client) => {
        const { status, headers } = await client.call({ method: 'GET', path: '/openapi/v2', headers: { accept } });
        return { status, type: headers['content-type'] };
      }),
    );
    expect(ours).toEqual(theirs);
  });

  it.each(['parts.spec', 'parts.spec.items', 'parts.spec.mode', 'parts --recursive', 'blobs'])(
    'gives kubectl the same explanation of %s',
    async (what) => {
      await documents('/openapi/v2');
      const [theirs, ours] = await Promise.all(
        [pair.theirs, pair.ours].map(async ({ kubeconfigFile, name }) => {
          const args = [
            'explain',
            ...what.split(' '),
            '--output',
            'plaintext-openapiv2',
            '--cache-dir',
            `${cache}/${name}`,
          ];
          const { stdout } = await runCommand(peerBinary('kubectl'), [...args, '--kubeconfig', kubeconfigFile]);
          return stdout;
        }),
      );
      // The texts about apiVersion, kind and metadata are our own.
      const fields = (output = ''): string[] => output.split('\n').filter((line) => !/^\s+[A-Z].*[a-z.]$/.test(line));
      expect(theirs).toContain('KIND:');
      expect(fields(ours)).toEqual(fields(theirs));
    },
  );
});
