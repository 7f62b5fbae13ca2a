import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Disposable, silentLogger, systemClock, systemRandom } from '@slipway/base';
import { type CustomResourceDefinition, invalid, type KubeObject, type MutableJsonObject } from '@slipway/kube';
import {
  type AdmissionRequest,
  configMaps,
  type ControllerSet,
  createHttpClient,
  type HttpClient,
  InformerFactory,
  namespaces,
  type Resource,
} from '@slipway/runtime';
import { type EmbeddedServer, startEmbeddedServer } from '@slipway/testing/plane';
import { type Greeting, greetings } from '../../../docs/samples/greeting.js';
import { greetingSet } from '../../../docs/samples/greeting-set.js';
import { startEmbeddedControllers } from '../src/index.js';
import { failure, patience } from './conformance-fixtures.js';

const namespace = 'embedded';
const group = 'boats.slipway.dev';
const boats = (version: string): Resource => ({ group, version, kind: 'Boat', plural: 'boats', namespaced: true });
const version = (name: string, field: string, storage: boolean): object => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { [field]: { type: 'integer' }, flag: { type: 'string' } } },
      },
    },
  },
});

function convertBoat(object: MutableJsonObject, apiVersion: string): MutableJsonObject {
  const { length, metres, flag } = object['spec'] as { length?: number; metres?: number; flag?: string };
  const size = length ?? metres ?? 0;
  object['spec'] = { ...(apiVersion.endsWith('/v1') ? { length: size } : { metres: size }), ...(flag && { flag }) };
  object['apiVersion'] = apiVersion;
  return object;
}

const specOf = (request: AdmissionRequest): { metres?: number; flag?: string } =>
  request.object?.['spec'] as { metres?: number; flag?: string };
const rules = [{ operations: ['CREATE', 'UPDATE'], apiGroups: [group], apiVersions: ['v2'], resources: ['boats'] }];

/** A controller set whose webhooks match version v2 only. */
const boatSet: ControllerSet = {
  ...greetingSet,
  customResourceDefinitions: () => [
    ...(greetingSet.customResourceDefinitions?.() ?? []),
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `boats.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind: 'Boat', plural: 'boats', singular: 'boat', listKind: 'BoatList' },
        versions: [version('v1', 'length', true), version('v2', 'metres', false)],
      },
    } as unknown as CustomResourceDefinition,
  ],
  webhooks: () => ({
    conversions: new Map([[`Boat.${group}`, convertBoat]]),
    mutating: [
      {
        name: `default.${group}`,
        path: '/default',
        rules,
        handler: (request) => {
          specOf(request).flag ??= 'blue';
        },
      },
    ],
    validating: [
      {
        name: `validate.${group}`,
        path: '/validate',
        rules,
        handler: (request) => {
          if ((specOf(request).metres ?? 0) <= 100)
            return { allowed: true, warnings: [`flag ${specOf(request).flag}`] };
          throw invalid({ group, kind: 'Boat' }, request.name ?? '', []);
        },
      },
    ],
  }),
};

describe('controllers in the process of the embedded server', () => {
  let embedded: EmbeddedServer;
  let controllers: Disposable;
  let client: HttpClient;
  const warnings: string[] = [];

  const start = async (): Promise<void> => {
    const dependencies = { clock: systemClock, random: systemRandom, logger: silentLogger };
    controllers = await startEmbeddedControllers({ server: embedded.server, sets: [boatSet], ...dependencies });
  };

  beforeAll(async () => {
    embedded = await startEmbeddedServer();
    await start();
    client = createHttpClient(await embedded.connection(), { onWarning: (text) => void warnings.push(text) });
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  });
  afterAll(async () => {
    client?.close();
    await controllers?.dispose();
    await embedded?.stop();
  });

  const boat = (apiVersion: string, name: string, spec: object): KubeObject => ({
    apiVersion: `${group}/${apiVersion}`,
    kind: 'Boat',
    metadata: { namespace, name },
    spec,
  });

  it('reconciles objects that clients write', async () => {
    const desired: Greeting = {
      apiVersion: 'samples.slipway.dev/v1',
      kind: 'Greeting',
      metadata: { name: 'g', namespace },
      spec: { name: 'Ada' },
    };
    await client.create(greetings, desired);
    const factory = new InformerFactory({ client, clock: systemClock, random: systemRandom });
    const made = await factory
      .informer(configMaps, { namespace })
      .waitFor((view) => view.get({ namespace, name: 'g' }), { signal: AbortSignal.timeout(patience) });
    expect(made).toMatchObject({ data: { text: 'Hello, Ada!' } });
    await factory.dispose();
  });

  it('calls webhooks with the version that they accept, whichever version is written', async () => {
    warnings.length = 0;
    expect(await client.create(boats('v2'), boat('v2', 'new', { metres: 7 }))).toMatchObject({
      spec: { flag: 'blue' },
    });
    expect(await client.create(boats('v1'), boat('v1', 'old', { length: 9 }))).toMatchObject({
      apiVersion: `${group}/v1`,
      spec: { length: 9, flag: 'blue' },
    });
    expect(warnings).toEqual(['flag blue', 'flag blue']);
    const refused = await failure(client.create(boats('v1'), boat('v1', 'long', { length: 101 })));
    expect(refused.toStatus()).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: expect.stringMatching(
        /^admission webhook "validate.boats.slipway.dev" denied the request: Boat/,
      ) as string,
    });
  });

  it('converts objects that a restarted server served before the converters were registered', async () => {
    await controllers.dispose();
    await embedded.restart();
    const key = { namespace, name: 'new' };
    await start();
    expect(await client.get(boats('v2'), key)).toMatchObject({ spec: { metres: 7, flag: 'blue' } });
    expect(await client.get(boats('v1'), key)).toMatchObject({ spec: { length: 7, flag: 'blue' } });
  });
});
