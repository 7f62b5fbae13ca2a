import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import { forbidden, type KubeObject, type MutableJsonObject } from '@slipway/kube';
import {
  type AdmissionRequest,
  type Client,
  type ConfigMap,
  configMaps,
  customResourceDefinitions,
  injectCaBundle,
  mutatingWebhookConfigurations,
  namespaces,
  type Resource,
  SecretCertificates,
  secrets,
  validatingWebhookConfigurations,
  WebhookServer,
} from '@slipway/runtime';
import type { ConformanceTarget } from './client-conformance.js';
import { established, failure, patience } from './conformance-fixtures.js';

const namespace = 'hooks';
const secret = { namespace, name: 'webhook-cert' };
const group = 'hooks.slipway.dev';
const definitionName = `gadgets.${group}`;
const gadgets = (version: string): Resource => ({
  group,
  version,
  kind: 'Gadget',
  plural: 'gadgets',
  namespaced: true,
});

function greet(request: AdmissionRequest): void {
  const object = request.object as ConfigMap;
  object.data = { ...object.data, greeted: 'yes' };
}

function validateGreeting({ object }: AdmissionRequest): { allowed: true; warnings: string[] } {
  const { data } = object as ConfigMap;
  if (data?.['text'] === 'bad')
    throw forbidden({ group: '', resource: 'configmaps' }, 'bad', 'such words are not used');
  // The validating webhook receives the object after the mutating webhook has changed it.
  return { allowed: true, warnings: [`greeted: ${data?.['greeted'] ?? 'no'}`] };
}

/** v1 has `spec.size`, v2 has `spec.width`. */
function convertGadget(object: MutableJsonObject, apiVersion: string): MutableJsonObject {
  const spec = object['spec'] as { size?: number; width?: number };
  const measure = spec.size ?? spec.width ?? 0;
  object['spec'] = apiVersion.endsWith('/v1') ? { size: measure } : { width: measure };
  object['apiVersion'] = apiVersion;
  return object;
}

const webhook = (name: string, url: string): KubeObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${name === 'mutate' ? 'Mutating' : 'Validating'}WebhookConfiguration`,
  metadata: { name },
  webhooks: [
    {
      name: `${name}.${group}`,
      clientConfig: { url },
      rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 10,
    },
  ],
});

const version = (name: string, field: string, storage: boolean): object => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { [field]: { type: 'integer' } } } },
    },
  },
});

const definition = (url: string): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: definitionName },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget', listKind: 'GadgetList' },
    versions: [version('v1', 'size', true), version('v2', 'width', false)],
    conversion: { strategy: 'Webhook', webhook: { clientConfig: { url }, conversionReviewVersions: ['v1'] } },
  },
});

function openWebhooks(client: Client): WebhookServer {
  const dependencies = { clock: systemClock, random: systemRandom, logger: silentLogger };
  const targets = { mutating: ['mutate'], validating: ['validate'], customResourceDefinitions: [definitionName] };
  return new WebhookServer({
    ...dependencies,
    address: '127.0.0.1:0',
    certificates: new SecretCertificates({ ...dependencies, client, secret, hosts: ['127.0.0.1'] }),
    onCaBundle: (bundle) => injectCaBundle(client, targets, bundle),
  })
    .mutate('/mutate', greet)
    .validate('/validate', validateGreeting)
    .convert(convertGadget);
}

/** Tests that the API server calls the manager's webhooks, with self-issued certificates and a CA bundle in the configuration. */
export function webhookConformance(name: string, start: () => Promise<ConformanceTarget>): void {
  describe(`webhooks: ${name}`, () => {
    let target: ConformanceTarget;
    let server: WebhookServer;

    beforeAll(async () => {
      target = await start();
      const { client } = target;
      await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      server = openWebhooks(client);
      await server.start();
      const at = (path: string): string => `https://127.0.0.1:${server.port}${path}`;
      await client.create(mutatingWebhookConfigurations, webhook('mutate', at('/mutate')));
      await client.create(validatingWebhookConfigurations, webhook('validate', at('/validate')));
      await client.create(customResourceDefinitions, definition(at('/convert')));
      await established(client, definitionName);
      // Write the CA bundle again: the configurations did not exist when the webhook server started.
      await server.rotate();
      // The API server loads each configuration twice: when it is created, and when its CA bundle is set.
      await vi.waitFor(async () => {
        expect(await create('good', true)).toMatchObject({ data: { greeted: 'yes' } });
        expect((await failure(create('bad', true))).toStatus()).toMatchObject(refusal);
      }, pollOptions);
    });
    afterAll(async () => {
      await server?.stop();
      await target?.stop();
    });

    const refusal = {
      code: 403,
      reason: 'Forbidden',
      message: `admission webhook "validate.${group}" denied the request: configmaps "bad" is forbidden: such words are not used`,
    };
    const create = (text: string, dryRun = false): Promise<unknown> =>
      target.client.create(
        configMaps,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'words-', namespace }, data: { text } },
        { dryRun },
      );
    // Poll, because no event reports that a server has loaded a configuration.
    const pollOptions = { timeout: patience, interval: 100 };

    it('mutates created objects', async () => {
      expect(await create('good')).toMatchObject({ data: { text: 'good', greeted: 'yes' } });
    });

    it('denies requests with the message of the validating webhook', async () => {
      expect((await failure(create('bad', true))).toStatus()).toMatchObject(refusal);
    });

    it('converts between versions, one object and a list', async () => {
      const { client } = target;
      const key = { namespace, name: 'wheel' };
      const made = { apiVersion: `${group}/v2`, kind: 'Gadget', metadata: { ...key }, spec: { width: 7 } };
      await vi.waitFor(() => client.create(gadgets('v2'), made), pollOptions);
      expect(await client.get(gadgets('v1'), key)).toMatchObject({ apiVersion: `${group}/v1`, spec: { size: 7 } });
      const { items } = await client.list(gadgets('v2'), { namespace });
      expect(items).toMatchObject([{ apiVersion: `${group}/v2`, spec: { width: 7 } }]);
    });

    it('rotates its certificate and CA while it runs', async () => {
      const { client } = target;
      const before = await client.get(secrets, secret);
      await client.delete(secrets, secret);
      await server.rotate();
      const after = await client.get(secrets, secret);
      expect(after.data?.['ca.crt']).not.toBe(before.data?.['ca.crt']);
      await vi.waitFor(
        async () => expect(await create('again')).toMatchObject({ data: { greeted: 'yes' } }),
        pollOptions,
      );
      const { webhooks } = (await client.get(mutatingWebhookConfigurations, {
        namespace: '',
        name: 'mutate',
      })) as unknown as { webhooks: { clientConfig: { caBundle: string } }[] };
      expect(webhooks[0]?.clientConfig.caBundle).toBe(after.data?.['ca.crt']);
    });
  });
}
