import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom, VirtualClock } from '@slipway/base';
import { type CustomResourceDefinition, type Frozen, invalidField, type KubeObject } from '@slipway/kube';
import { defineKind, int32, object, optional, string } from '@slipway/kube/kit';
import { type Client, customResourceDefinitions, type Resource } from '@slipway/runtime';
import { type EmbeddedServer, startEmbeddedServer } from '@slipway/testing/plane';
import { findDefinition, InProcessClient, installKinds, type KindSet } from '../src/index.js';
import { failure } from './conformance-fixtures.js';

const group = 'boats.slipway.dev';
const spec = (field: string): Record<string, ReturnType<typeof optional>> => ({
  spec: optional(object({ [field]: optional(int32()), flag: optional(string()) })),
});
const boat = defineKind({
  group,
  kind: 'Boat',
  plural: 'boats',
  scope: 'Namespaced',
  labels: { fleet: 'one' },
  versions: [
    { name: 'v1', served: true, storage: false, schema: spec('length') },
    { name: 'v2', served: true, storage: true, schema: spec('metres') },
  ],
});
const boats = (version: string): Resource => ({ group, version, kind: 'Boat', plural: 'boats', namespaced: true });

interface Spec {
  length?: number;
  metres?: number;
  flag?: string;
}

function convert(objects: readonly Frozen<KubeObject>[], version: string): KubeObject[] {
  return objects.map((each) => {
    const { length, metres, flag } = (each['spec'] ?? {}) as Spec;
    const size = length ?? metres ?? 0;
    const next: Spec = version === 'v1' ? { length: size } : { metres: size };
    if (flag !== undefined) next.flag = flag;
    return { ...each, apiVersion: `${group}/${version}`, spec: next } as KubeObject;
  });
}

const seen: string[] = [];
const kindSet: KindSet = {
  name: 'boats',
  kinds: [boat],
  converters: new Map([[boat, convert]]),
  rules: [
    {
      kind: boat,
      applyDefaults(each) {
        const own = (each['spec'] ??= {}) as Spec;
        own.flag ??= 'blue';
      },
      validate(each, old, { dryRun }) {
        const { metres = 0 } = each['spec'] as Spec;
        seen.push(`${each.apiVersion} ${old === undefined ? 'new' : old.apiVersion}${dryRun ? ' dry' : ''}`);
        return metres <= 100 ? [] : [invalidField('spec.metres', metres, 'is too long')];
      },
    },
  ],
};

describe('kinds on the embedded server', () => {
  let embedded: EmbeddedServer;
  let client: Client;
  const key = { namespace: '', name: `boats.${group}` };
  const dependencies = { clock: systemClock, random: systemRandom };
  const install = (set = kindSet): ReturnType<typeof installKinds> =>
    installKinds(embedded.server, client, set, dependencies);
  const make = (version: string, name: string, fields: Spec, dryRun = false): Promise<Frozen<KubeObject>> => {
    const metadata = { namespace: 'default', name };
    const apiVersion = `${group}/${version}`;
    return client.create(boats(version), { apiVersion, kind: 'Boat', metadata, spec: fields }, { dryRun });
  };

  beforeAll(async () => {
    embedded = await startEmbeddedServer();
    client = new InProcessClient({ registry: embedded.server.registry });
    await install();
  });
  afterAll(() => embedded?.stop());

  it('validates objects at the storage version, whichever version is written', async () => {
    seen.length = 0;
    expect(await make('v1', 'old', { length: 7 })).toMatchObject({ spec: { length: 7, flag: 'blue' } });
    expect(await make('v2', 'new', { metres: 9 }, true)).toMatchObject({ spec: { metres: 9, flag: 'blue' } });
    await client.patch(
      boats('v1'),
      { namespace: 'default', name: 'old' },
      { type: 'merge', patch: { spec: { flag: 'red' } } },
    );
    expect(seen).toEqual([`${group}/v2 new`, `${group}/v2 new dry`, `${group}/v2 ${group}/v2`]);
    const refused = await failure(make('v1', 'long', { length: 101 }));
    expect(refused.toStatus()).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: `admission webhook "validation.boat.${group}" denied the request: Boat.${group} "long" is invalid: spec.metres: Invalid value: 101: is too long`,
      details: { causes: [{ field: 'spec.metres' }] },
    });
  });

  it('writes nothing if the CRD is up to date', async () => {
    const before = findDefinition(embedded.store, key.name);
    const again = await install();
    expect(findDefinition(embedded.store, key.name)).toBe(before);
    await again.dispose();
  });

  it('restores a CRD and keeps members that other clients added', async () => {
    const patch = { metadata: { labels: { fleet: 'two' }, annotations: { theirs: 'stays' } } };
    await client.patch(customResourceDefinitions, key, { type: 'merge', patch });
    await install();
    const { metadata } = await client.get(customResourceDefinitions, key);
    expect(metadata).toMatchObject({ labels: { fleet: 'one' }, annotations: { theirs: 'stays' } });
    expect(findDefinition(embedded.store, key.name)?.metadata.labels).toEqual({ fleet: 'one' });
    expect(boat.schemas.get('v1')).not.toSatisfy(Object.isFrozen);
  });

  it('converts objects that a restarted server served before the kinds were installed', async () => {
    await embedded.restart();
    client = new InProcessClient({ registry: embedded.server.registry });
    await install();
    const old = await client.get(boats('v1'), { namespace: 'default', name: 'old' });
    expect(old).toMatchObject({ spec: { length: 7, flag: 'red' } });
  });

  it('reports why a CRD is not served, and removes its admission rules', async () => {
    const names = { ...boat.declaration, plural: 'barges', singular: 'barge', listKind: 'BargeList' };
    const barge = defineKind(names);
    const clash: KindSet = { name: 'barges', kinds: [barge], converters: new Map(), rules: [] };
    // Only the timeout uses this clock. The test advances it after the server has processed the CRD.
    const clock = new VirtualClock();
    const refused = failure(installKinds(embedded.server, client, clash, { ...dependencies, clock }));
    const barges = { namespace: '', name: `barges.${group}` };
    const conditions = async () => (await client.get(customResourceDefinitions, barges)).status?.conditions;
    await expect.poll(conditions).toBeDefined();
    await clock.advance(60_000);
    expect((await refused).message).toBe(`the server does not serve barges.${group} ("Boat" is already in use)`);
  });

  it('stops waiting for a CRD when the signal is aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(installKinds(embedded.server, client, kindSet, { ...dependencies, signal })).rejects.toThrow('enough');
  });

  it('finds kinds by the name of their CRD only', () => {
    const found = findDefinition(embedded.store, key.name) as Frozen<CustomResourceDefinition> | undefined;
    expect(found?.metadata.name).toBe(key.name);
    expect(findDefinition(embedded.store, 'none.example.com')).toBeUndefined();
  });
});
