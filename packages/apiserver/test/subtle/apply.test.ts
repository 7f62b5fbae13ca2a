import { VirtualClock } from '@slipway/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMap, configMaps, custom, customPath, defineCustom, Harness, type Json } from './harness.js';

let harness: Harness;

beforeAll(async () => {
  harness = await Harness.start(new VirtualClock());
  const items = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name', 'protocol'],
    items: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        protocol: { type: 'string', default: 'TCP' },
        v: { type: 'integer' },
        w: { type: 'integer' },
      },
    },
  };
  const spec = {
    type: 'object',
    properties: { size: { type: 'integer' }, color: { type: 'string', default: 'blue' }, items },
  };
  await defineCustom(harness, 'boats', [
    { status: true, spec },
    { name: 'v2', storage: false, status: true, spec },
  ]);
});

afterAll(() => harness.stop());

const boats = customPath('boats');

function entry(object: Json, manager: string, operation = 'Apply'): Json | undefined {
  return (object['metadata'].managedFields as readonly Json[]).find(
    (one) => one['manager'] === manager && one['operation'] === operation,
  );
}

describe('subtle behaviours: server-side apply', () => {
  it('SSA: dropping an owned list-map item deletes only the parts without another manager [35]', async () => {
    const item = (fields: Json): Json => custom('Boat', 'parts', { items: [{ name: 'a', ...fields }] });
    await harness.apply(`${boats}/parts`, 'one', item({ v: 1 }));
    await harness.apply(`${boats}/parts`, 'two', item({ w: 2 }));
    const { body } = await harness.apply(`${boats}/parts`, 'one', custom('Boat', 'parts', {}));
    expect(body['spec'].items).toEqual([{ name: 'a', protocol: 'TCP', w: 2 }]);
    const { body: empty } = await harness.apply(`${boats}/parts`, 'two', custom('Boat', 'parts', {}));
    expect(empty['spec'].items ?? []).toEqual([]);
  });

  it('SSA apply on status endpoint tracks a separate entry with subresource: status [36]', async () => {
    await harness.apply(`${boats}/status`, 'me', custom('Boat', 'status', { size: 1 }));
    const { body } = await harness.apply(`${boats}/status/status`, 'me', {
      ...custom('Boat', 'status'),
      status: { phase: 'x' },
    });
    const entries = (body['metadata'].managedFields as readonly Json[]).map((one) => [
      one['manager'],
      one['subresource'],
    ]);
    expect(entries).toEqual(
      expect.arrayContaining([
        ['me', undefined],
        ['me', 'status'],
      ]),
    );
    expect(entries).toHaveLength(2);
  });

  it('SSA: after an apply, schema defaults have no manager; after POST they belong to the manager as Update [37]', async () => {
    const { body: applied } = await harness.apply(`${boats}/owned`, 'me', custom('Boat', 'owned', { size: 1 }));
    expect(applied['spec'].color).toBe('blue');
    expect(entry(applied, 'me')?.['fieldsV1']).toEqual({ 'f:spec': { 'f:size': {} } });
    const { body: posted } = await harness.post(`${boats}?fieldManager=poster`, custom('Boat', 'posted', { size: 1 }));
    expect(entry(posted, 'poster', 'Update')?.['fieldsV1']).toEqual({
      'f:spec': { '.': {}, 'f:color': {}, 'f:size': {} },
    });
  });

  it('SSA map-list item keys with defaults must be defaulted when computing k:{…} [38]', async () => {
    const { body } = await harness.apply(
      `${boats}/keyed`,
      'me',
      custom('Boat', 'keyed', { items: [{ name: 'a', v: 1 }] }),
    );
    expect(JSON.stringify(entry(body, 'me'))).toContain('k:{\\"name\\":\\"a\\",\\"protocol\\":\\"TCP\\"}');
  });

  it('managedFields time is preserved when nothing changed, so repeated apply is a true no-op [39]', async () => {
    const clock = new VirtualClock();
    const own = await Harness.start(clock);
    const { body: first } = await own.apply(`${configMaps}/same`, 'me', configMap('same', { a: '1' }));
    await clock.advance(60_000);
    const { code, body: second } = await own.apply(`${configMaps}/same`, 'me', configMap('same', { a: '1' }));
    expect(code).toBe(200);
    expect(second['metadata'].resourceVersion).toBe(first['metadata'].resourceVersion);
    expect(entry(second, 'me')?.['time']).toBe(entry(first, 'me')?.['time']);
    await own.stop();
  });

  it('The UA-header prefix names the manager when fieldManager is absent [40]', async () => {
    const { body } = await harness.post(configMaps, configMap('agent', { a: '1' }), {
      headers: { 'user-agent': 'manager/v1.2 (linux/amd64) kubernetes/abc' },
    });
    expect(entry(body, 'manager', 'Update')).toBeDefined();
  });

  it('keeps everything before the first slash of the User-Agent as the manager name', async () => {
    const { body } = await harness.post(configMaps, configMap('spaced-agent', { a: '1' }), {
      headers: { 'user-agent': 'Terraform Provider Kubernetes/2.0' },
    });
    expect(entry(body, 'Terraform Provider Kubernetes', 'Update')).toBeDefined();
  });

  it("Apply with a stale apiVersion works if served; the entry's apiVersion becomes that version [41]", async () => {
    await harness.apply(`${boats}/versioned`, 'me', custom('Boat', 'versioned', { size: 1 }));
    const at2 = { ...custom('Boat', 'versioned', { size: 2 }), apiVersion: 'example.com/v2' };
    const { code, body } = await harness.apply(`${customPath('boats', 'v2')}/versioned`, 'me', at2);
    expect([code, body['spec'].size]).toEqual([200, 2]);
    expect((body['metadata'].managedFields as readonly Json[]).map((one) => one['apiVersion'])).toEqual([
      'example.com/v2',
    ]);
  });

  it('conflicts name manager and field, and force takes ownership', async () => {
    await harness.apply(`${configMaps}/fought`, 'one', configMap('fought', { a: '1' }));
    const refused = await harness.apply(`${configMaps}/fought`, 'two', configMap('fought', { a: '2' }));
    expect(refused.code).toBe(409);
    expect(refused.body).toMatchObject({
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "one": .data.a',
      details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.a' }] },
    });
    const forced = await harness.apply(`${configMaps}/fought`, 'two', configMap('fought', { a: '2' }), '&force=true');
    expect(forced.body['data']).toEqual({ a: '2' });
    expect(entry(forced.body, 'one')).toBeUndefined();
  });
});
