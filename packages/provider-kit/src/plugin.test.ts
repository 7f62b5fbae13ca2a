import { defineKind, object, optional, string } from '@slipway/kube/kit';
import { expect, it } from 'vitest';
import { definePlugin, isPlugin, type Plugin } from './plugin.js';

const boat = defineKind({
  group: 'pond.example.com',
  kind: 'Boat',
  plural: 'boats',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      description: 'Boat is a boat.',
      schema: { spec: optional(object({ color: string({ description: 'Color.' }) }, { description: 'State.' })) },
    },
  ],
});
const valid: Plugin = {
  name: 'pond',
  type: 'InfrastructureProvider',
  kinds: [boat],
  controllers: () => ({ set: { name: 'pond', controllers: [] } }),
};

it('recognizes plugins that definePlugin returned, and no object with the same fields', () => {
  expect(isPlugin(definePlugin(valid))).toBe(true);
  expect(isPlugin({ ...valid })).toBe(false);
  expect(isPlugin(undefined)).toBe(false);
});

it.each([
  ['a name that is not a DNS label', { name: 'Pond' }, 'name must be 2 to 40 lowercase letters, digits and dashes'],
  ['a core provider', { type: 'CoreProvider' as 'AddonProvider' }, 'type must be one of BootstrapProvider, '],
  ['a kind that is listed twice', { kinds: [boat, boat] }, 'kinds contains boats.pond.example.com twice'],
  ['a template with another name', { templates: { 'pond.yaml': '' } }, 'template "pond.yaml" must be named'],
  [
    'admission of a kind that it does not define',
    { kinds: [], admission: [{ kind: boat, applyDefaults: () => undefined, validate: () => [] }] },
    'admission contains Boat, which is missing from kinds',
  ],
])('rejects %s', (_what, change, message) => {
  expect(() => definePlugin({ ...valid, ...change })).toThrow(message);
});

it.each<[string, object, string]>([
  ['no kinds', { kinds: undefined }, 'kinds must be a list'],
  ['kinds that are not kinds', { kinds: [undefined] }, 'kinds must contain results of defineKind'],
  ['no controllers', { controllers: undefined }, 'controllers must be a function'],
  ['permissions that are not a list', { permissions: {} }, 'permissions must be a list'],
  [
    'a template that is not text',
    { templates: { 'cluster-template.yaml': 1 } },
    'template "cluster-template.yaml" must be a string',
  ],
])('rejects %s of a plugin in JavaScript', (_what, change, message) => {
  expect(() => definePlugin({ ...valid, ...change })).toThrow(`invalid plugin "pond": ${message}`);
});
