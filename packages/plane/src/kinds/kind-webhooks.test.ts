import { defineKind, object, optional, string } from '@slipway/kube/kit';
import { forbidden, forbiddenField, type KubeObject } from '@slipway/kube';
import type { AdmissionHandler, AdmissionRequest, WebhookServer } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import type { KindRules, KindSet } from './kind-set.js';
import { addKindWebhooks, validatingConfiguration } from './kind-webhooks.js';

const kindOf = (name: string) =>
  defineKind({
    group: 'example.com',
    kind: name,
    plural: `${name.toLowerCase()}s`,
    scope: 'Namespaced',
    versions: [
      { name: 'v1', served: true, storage: true, schema: { spec: optional(object({ a: optional(string()) })) } },
    ],
  });
const plain: KindRules = { kind: kindOf('Plain'), applyDefaults: () => undefined, validate: () => [] };
const guarded: KindRules = {
  ...plain,
  kind: kindOf('Guarded'),
  validateLive: ({ object: next, old }) => {
    if (next === undefined)
      throw forbidden({ group: 'example.com', resource: 'guardeds' }, old?.metadata.name ?? '', 'it is used');
    return Promise.resolve(next.metadata.name === 'bad' ? [forbiddenField('spec.a', 'not with the others')] : []);
  },
};
const kindSet: KindSet = {
  name: 'set',
  kinds: [plain.kind, guarded.kind],
  converters: new Map(),
  rules: [plain, guarded],
};

describe('webhook rules that read other objects', () => {
  const handlers = new Map<string, AdmissionHandler>();
  const server = {
    mutate: () => undefined,
    validate: (path: string, handler: AdmissionHandler) => void handlers.set(path, handler),
    convertAll: () => undefined,
  };
  addKindWebhooks(server as unknown as WebhookServer, kindSet);
  const ask = async (request: Partial<AdmissionRequest>): Promise<unknown> =>
    handlers.get('/validate-example-com-v1-guarded')?.(request as AdmissionRequest);
  const made = (name: string): KubeObject => ({ apiVersion: 'example.com/v1', kind: 'Guarded', metadata: { name } });

  it('calls only the rules that read other objects for deletions', () => {
    const { webhooks = [] } = validatingConfiguration(kindSet, () => ({ url: 'https://x' }));
    expect(webhooks.map(({ name, rules }) => [name, rules?.[0]?.operations])).toEqual([
      ['validation.plain.example.com', ['CREATE', 'UPDATE']],
      ['validation.guarded.example.com', ['CREATE', 'UPDATE', 'DELETE']],
    ]);
  });

  it('denies invalid objects and deletions of objects in use', async () => {
    await expect(ask({ object: made('good') })).resolves.toBeUndefined();
    await expect(ask({ object: made('bad') })).rejects.toThrow('spec.a: Forbidden: not with the others');
    await expect(ask({ oldObject: made('gone'), operation: 'DELETE' })).rejects.toThrow(
      'guardeds.example.com "gone" is forbidden: it is used',
    );
  });
});
