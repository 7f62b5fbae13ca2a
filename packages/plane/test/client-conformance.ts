import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Frozen, KubeObject, StatusError } from '@slipway/kube';
import {
  defineKind,
  int32,
  int64,
  object,
  type ObjectOf,
  optional,
  string,
  toCustomResourceDefinition,
} from '@slipway/kube/kit';
import {
  type Client,
  type ConfigMap,
  configMaps,
  customResourceDefinitions,
  namespaces,
  resourceOf,
  serviceAccounts,
  type WatchEvent,
} from '@slipway/runtime';

export interface ConformanceTarget {
  readonly client: Client;
  stop(): Promise<void>;
}

const widgetKind = defineKind({
  group: 'conformance.slipway.dev',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: {
        spec: optional(
          object({
            size: optional(int32({ minimum: 0, maximum: 100 })),
            serial: optional(int64()),
            note: optional(string()),
          }),
        ),
        status: optional(object({ phase: optional(string()) })),
      },
      subresources: { status: true },
    },
  ],
});
type Widget = ObjectOf<typeof widgetKind>;
const widgets = resourceOf(widgetKind);
const namespace = 'conformance';
const patience = 15_000;

/** What every Client does alike. Each implementation runs this against the servers that it can reach. */
export function clientConformance(name: string, start: () => Promise<ConformanceTarget>): void {
  describe(`a client: ${name}`, () => {
    let target: ConformanceTarget;
    let client: Client;

    beforeAll(async () => {
      target = await start();
      client = target.client;
      await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      const definition = toCustomResourceDefinition(widgetKind);
      await client.create(customResourceDefinitions, definition);
      await established(client, definition.metadata.name ?? '');
    });

    afterAll(() => target?.stop());

    describe('objects', () => objectTests(() => client));
    describe('writes', () => writeTests(() => client));
    describe('deletion', () => deletionTests(() => client));
    describe('lists', () => listTests(() => client));
    describe('watches', () => watchTests(() => client));
    describe('discovery and subresources', () => discoveryTests(() => client));
  });
}

function objectTests(use: () => Client): void {
  it('creates, reads, replaces and deletes an object', async () => {
    const client = use();
    const created = await client.create(configMaps, configMap('life', { a: '1' }));
    expect(created).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } });
    const read = await client.get(configMaps, { namespace, name: 'life' });
    expect(read).toEqual(created);
    const updated = await client.update(configMaps, { ...read, data: { a: '2' } } as ConfigMap);
    expect(updated.data).toEqual({ a: '2' });
    expect(updated.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion);
    expect(await client.delete(configMaps, { namespace, name: 'life' })).toBeUndefined();
    expect(await failure(client.get(configMaps, { namespace, name: 'life' }))).toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'configmaps "life" not found',
      details: { name: 'life', kind: 'configmaps' },
    });
  });

  it('gives out frozen objects', async () => {
    const client = use();
    const created = await client.create(configMaps, configMap('frozen', { a: '1' }));
    const list = await client.list(configMaps, { namespace, fieldSelector: 'metadata.name=frozen' });
    for (const one of [created, await client.get(configMaps, { namespace, name: 'frozen' }), ...list.items]) {
      expect([one, one.metadata, one.data].every((part) => Object.isFrozen(part))).toBe(true);
    }
  });

  it('takes parts of frozen objects in what it writes, and leaves members that are undefined out', async () => {
    const client = use();
    const first = await client.create(configMaps, configMap('parts', { a: '1' }));
    const second = { ...first, metadata: { ...first.metadata, labels: { b: undefined, c: 'x' } } };
    const updated = await client.update(configMaps, second as unknown as ConfigMap);
    expect(updated.data).toEqual({ a: '1' });
    expect(updated.metadata.labels).toEqual({ c: 'x' });
  });

  it('keeps 64-bit integers digit for digit', async () => {
    const client = use();
    const serial = 9_007_199_254_740_993n as unknown as number;
    const created = await client.create(widgets, widget('exact', { serial }));
    expect(created.spec?.serial).toBe(9_007_199_254_740_993n);
    const read = await client.get(widgets, { namespace, name: 'exact' });
    expect(read.spec?.serial).toBe(9_007_199_254_740_993n);
  });

  it('refuses targets that could only be answered by another endpoint', async () => {
    const client = use();
    const nameless = await failure(client.get(configMaps, { namespace, name: '' }));
    expect(nameless.message).toBe('resource name may not be empty');
    const homeless = await failure(client.get(configMaps, { namespace: '', name: 'a' }));
    expect(homeless.message).toBe('an empty namespace may not be set when a resource name is provided');
    const created = await failure(
      client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }),
    );
    expect(created.message).toBe('an empty namespace may not be set during creation');
    const escaping = await failure(client.get(configMaps, { namespace, name: '../secrets/a' }));
    expect(escaping.reason).toBe('BadRequest');
  });

  it('rejects with the reason of an aborted signal', async () => {
    const stopper = new AbortController();
    stopper.abort(new Error('enough'));
    const read = use().get(configMaps, { namespace, name: 'any' }, { signal: stopper.signal });
    await expect(read).rejects.toThrow('enough');
  });
}

function writeTests(use: () => Client): void {
  it('says AlreadyExists, Conflict and Invalid as the server does', async () => {
    const client = use();
    const created = await client.create(widgets, widget('errors', { size: 1 }));
    expect(await failure(client.create(widgets, widget('errors', {})))).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'widgets.conformance.slipway.dev "errors" already exists',
    });
    await client.update(widgets, { ...created, spec: { size: 2 } } as Widget);
    expect(await failure(client.update(widgets, { ...created, spec: { size: 3 } } as Widget))).toMatchObject({
      code: 409,
      reason: 'Conflict',
    });
    const invalid = await failure(client.create(widgets, widget('invalid', { size: 101 })));
    expect(invalid).toMatchObject({ code: 422, reason: 'Invalid', details: { kind: 'Widget', name: 'invalid' } });
    expect(invalid.details?.causes?.[0]?.field).toBe('spec.size');
  });

  it('patches by merge and by operations', async () => {
    const client = use();
    const key = { namespace, name: 'patched' };
    await client.create(configMaps, configMap('patched', { a: '1', b: '2' }));
    const merged = await client.patch(configMaps, key, { type: 'merge', patch: { data: { a: null, c: '3' } } });
    expect(merged.data).toEqual({ b: '2', c: '3' });
    const operated = await client.patch(configMaps, key, {
      type: 'json',
      patch: [
        { op: 'test', path: '/data/b', value: '2' },
        { op: 'replace', path: '/data/b', value: '4' },
      ],
    });
    expect(operated.data).toEqual({ b: '4', c: '3' });
    const stale = {
      type: 'merge',
      patch: { metadata: { resourceVersion: merged.metadata.resourceVersion ?? '' } },
    } as const;
    expect((await failure(client.patch(configMaps, key, stale))).reason).toBe('Conflict');
  });

  it('writes the status apart from the rest', async () => {
    const client = use();
    const key = { namespace, name: 'status' };
    const created = await client.create(widgets, widget('status', { size: 1 }));
    const patched = await client.patch(
      widgets,
      key,
      { type: 'merge', patch: { spec: { size: 2 }, status: { phase: 'Ready' } } },
      { subresource: 'status' },
    );
    expect(patched).toMatchObject({ spec: { size: 1 }, status: { phase: 'Ready' } });
    expect(patched.metadata.generation).toBe(created.metadata.generation);
    const updated = await client.update(
      widgets,
      { ...patched, spec: { size: 3 }, status: { phase: 'Done' } } as Widget,
      { subresource: 'status' },
    );
    expect(updated).toMatchObject({ spec: { size: 1 }, status: { phase: 'Done' } });
  });

  it('applies, notices who owns a field, and takes it over when forced', async () => {
    const client = use();
    const key = { namespace, name: 'applied' };
    const configuration = (size: number) => ({
      apiVersion: 'conformance.slipway.dev/v1',
      kind: 'Widget',
      metadata: { name: 'applied', namespace },
      spec: { size },
    });
    const first = await client.apply(widgets, key, configuration(1), { fieldManager: 'one' });
    expect(first.spec?.size).toBe(1);
    expect(first.metadata.managedFields?.[0]).toMatchObject({ manager: 'one', operation: 'Apply' });
    const same = await client.apply(widgets, key, configuration(1), { fieldManager: 'one' });
    expect(same.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    const refused = await failure(client.apply(widgets, key, configuration(2), { fieldManager: 'two' }));
    expect(refused).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(refused.details?.causes?.[0]).toMatchObject({ reason: 'FieldManagerConflict', field: '.spec.size' });
    const forced = await client.apply(widgets, key, configuration(2), { fieldManager: 'two', force: true });
    expect(forced.spec?.size).toBe(2);
  });

  it('changes nothing in a dry run', async () => {
    const client = use();
    const tried = await client.create(configMaps, configMap('dry', {}), { dryRun: true });
    expect(tried.metadata.uid).toBeDefined();
    expect((await failure(client.get(configMaps, { namespace, name: 'dry' }))).reason).toBe('NotFound');
  });

  it('names the field manager', async () => {
    const created = await use().create(configMaps, configMap('managed', { a: '1' }), { fieldManager: 'tester' });
    expect(created.metadata.managedFields).toMatchObject([{ manager: 'tester', operation: 'Update' }]);
  });
}

function deletionTests(use: () => Client): void {
  it('gives the object while finalizers hold it, and nothing once it is gone', async () => {
    const client = use();
    const key = { namespace, name: 'held' };
    const held = configMap('held', {});
    held.metadata.finalizers = ['conformance.slipway.dev/hold'];
    await client.create(configMaps, held);
    const terminating = await client.delete(configMaps, key);
    expect(terminating?.metadata.deletionTimestamp).toEqual(expect.any(String));
    expect((await client.delete(configMaps, key))?.metadata.uid).toBe(terminating?.metadata.uid);
    await client.patch(configMaps, key, { type: 'merge', patch: { metadata: { finalizers: null } } });
    expect((await failure(client.get(configMaps, key))).reason).toBe('NotFound');
    expect((await failure(client.delete(configMaps, key))).reason).toBe('NotFound');
  });

  it('deletes only the object that is meant', async () => {
    const client = use();
    const key = { namespace, name: 'meant' };
    const created = await client.create(configMaps, configMap('meant', {}));
    const other = client.delete(configMaps, key, { preconditions: { uid: 'c0ffee00-0000-4000-8000-000000000000' } });
    expect((await failure(other)).reason).toBe('Conflict');
    const { uid } = created.metadata;
    expect(await client.delete(configMaps, key, { preconditions: { uid } })).toBeUndefined();
  });

  it('says undefined for kinds that answer with what was removed', async () => {
    const client = use();
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'leaving', namespace } } as const;
    await client.create(serviceAccounts, structuredClone(account));
    expect(await client.delete(serviceAccounts, { namespace, name: 'leaving' })).toBeUndefined();
  });

  it('deletes what a selector chooses', async () => {
    const client = use();
    for (const [index, group] of ['x', 'x', 'y'].entries()) {
      await client.create(configMaps, configMap(`many-${index}`, {}, { many: group }));
    }
    await client.deleteAll(configMaps, { namespace, labelSelector: 'many=x' });
    const left = await client.list(configMaps, { namespace, labelSelector: 'many' });
    expect(left.items.map((item) => item.metadata.name)).toEqual(['many-2']);
  });
}

function listTests(use: () => Client): void {
  it('selects by labels and fields, and completes items', async () => {
    const client = use();
    for (const name of ['list-a', 'list-b', 'list-c']) {
      await client.create(configMaps, configMap(name, {}, { listed: name === 'list-c' ? 'no' : 'yes' }));
    }
    const labelled = await client.list(configMaps, { namespace, labelSelector: 'listed in (yes)' });
    expect(labelled.items.map((item) => item.metadata.name)).toEqual(['list-a', 'list-b']);
    expect(labelled.items.every((item) => item.kind === 'ConfigMap' && item.apiVersion === 'v1')).toBe(true);
    const named = await client.list(configMaps, {
      fieldSelector: `metadata.name=list-b,metadata.namespace=${namespace}`,
    });
    expect(named.items.map((item) => item.metadata.name)).toEqual(['list-b']);
    expect(named.resourceVersion).toMatch(/^[1-9][0-9]*$/);
  });

  it('pages', async () => {
    const client = use();
    for (let index = 0; index < 5; index += 1) {
      await client.create(configMaps, configMap(`page-${index}`, {}, { paged: 'yes' }));
    }
    const names: (string | undefined)[] = [];
    let next: string | undefined;
    let pages = 0;
    do {
      const page = await client.list(configMaps, { namespace, labelSelector: 'paged', limit: 2, continue: next });
      names.push(...page.items.map((item) => item.metadata.name));
      next = page.continue;
      pages += 1;
    } while (next !== undefined);
    expect(names).toEqual([0, 1, 2, 3, 4].map((index) => `page-${index}`));
    expect(pages).toBe(3);
  });

  it('answers for an unknown resource as the server does', async () => {
    const unknown = {
      group: 'conformance.slipway.dev',
      version: 'v1',
      kind: 'Gadget',
      plural: 'gadgets',
      namespaced: true,
    };
    expect(await failure(use().list(unknown))).toMatchObject({ code: 404, reason: 'NotFound' });
  });
}

function watchTests(use: () => Client): void {
  it('reports what happens after a list, in order', async () => {
    const client = use();
    const { resourceVersion } = await client.list(configMaps, { namespace });
    const seen = collect(client, { resourceVersion, labelSelector: 'watched' }, 4);
    const key = { namespace, name: 'watched' };
    await client.create(configMaps, configMap('watched', { step: '1' }, { watched: 'yes' }));
    await client.patch(configMaps, key, { type: 'merge', patch: { data: { step: '2' } } });
    await client.patch(configMaps, key, { type: 'merge', patch: { metadata: { labels: { watched: null } } } });
    await client.patch(configMaps, key, { type: 'merge', patch: { metadata: { labels: { watched: 'again' } } } });
    expect((await seen).map(summary)).toEqual([
      'ADDED watched 1',
      'MODIFIED watched 2',
      'DELETED watched 2',
      'ADDED watched 2',
    ]);
  });

  it('streams the state, marks its end, and goes on', async () => {
    const client = use();
    await client.create(configMaps, configMap('streamed-a', { step: '1' }, { streamed: 'yes' }));
    await client.create(configMaps, configMap('streamed-b', { step: '1' }, { streamed: 'yes' }));
    const seen = collect(client, { labelSelector: 'streamed', sendInitialEvents: true }, 4, async (event) => {
      if (event.type === 'BOOKMARK') await client.delete(configMaps, { namespace, name: 'streamed-a' });
    });
    const events = await seen;
    expect(events.map(summary)).toEqual([
      'ADDED streamed-a 1',
      'ADDED streamed-b 1',
      'BOOKMARK end',
      'DELETED streamed-a 1',
    ]);
    expect(events.every((event) => !('object' in event) || Object.isFrozen(event.object.metadata))).toBe(true);
  });

  it('ends without a failure when its signal is aborted, before and while it runs', async () => {
    const client = use();
    const stopper = new AbortController();
    const batches = client.watch(configMaps, { namespace, sendInitialEvents: true, signal: stopper.signal });
    for await (const batch of batches) {
      expect(batch.length).toBeGreaterThan(0);
      stopper.abort(new Error('enough'));
    }
    const late: unknown[] = [];
    for await (const batch of client.watch(configMaps, { namespace, signal: stopper.signal })) late.push(batch);
    expect(late).toEqual([]);
  });

  it('fails for what is not served', async () => {
    const unknown = { group: '', version: 'v1', kind: 'Gadget', plural: 'gadgets', namespaced: true };
    const run = async (): Promise<void> => {
      for await (const batch of use().watch(unknown)) expect(batch).toEqual([]);
    };
    expect((await failure(run())).reason).toBe('NotFound');
  });
}

function discoveryTests(use: () => Client): void {
  it('finds resources by kind', async () => {
    const client = use();
    expect(await client.resourceFor({ group: '', kind: 'ConfigMap' })).toEqual(configMaps);
    expect(await client.resourceFor({ group: widgetKind.group, kind: 'Widget' })).toEqual(widgets);
    expect(await client.resourceFor({ group: widgetKind.group, kind: 'Widget', version: 'v1' })).toEqual(widgets);
    expect(await client.resourceFor({ group: widgetKind.group, kind: 'Widget', version: 'v2' })).toBeUndefined();
    expect(await client.resourceFor({ group: widgetKind.group, kind: 'Gadget' })).toBeUndefined();
    expect(await client.resourceFor({ group: 'nobody.example.com', kind: 'Gadget' })).toBeUndefined();
  });

  it('asks for tokens of service accounts', async () => {
    const client = use();
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'speaker', namespace } } as const;
    await client.create(serviceAccounts, structuredClone(account));
    const answer = await client.createSubresource(serviceAccounts, { namespace, name: 'speaker' }, 'token', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 600 },
    });
    expect(answer).toMatchObject({ kind: 'TokenRequest', status: { token: expect.stringMatching(/^ey/) } });
  });
}

function configMap(name: string, data: Record<string, string>, labels?: Record<string, string>): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, ...(labels === undefined ? {} : { labels }) },
    data,
  };
}

function widget(name: string, spec: NonNullable<Widget['spec']>): Widget {
  return { apiVersion: 'conformance.slipway.dev/v1', kind: 'Widget', metadata: { name, namespace }, spec };
}

async function failure(work: Promise<unknown>): Promise<StatusError> {
  try {
    await work;
  } catch (error) {
    return error as StatusError;
  }
  throw new Error('a failure was expected');
}

async function established(client: Client, name: string): Promise<void> {
  const signal = AbortSignal.timeout(patience);
  const options = { fieldSelector: `metadata.name=${name}`, sendInitialEvents: true, signal };
  for await (const batch of client.watch(customResourceDefinitions, options)) {
    for (const event of batch) {
      const conditions = 'object' in event ? event.object.status?.conditions : undefined;
      if (conditions?.some((one) => one.type === 'Established' && one.status === 'True') === true) return;
    }
  }
  throw new Error(`${name} was not established`);
}

type Events = WatchEvent<ConfigMap>[];

async function collect(
  client: Client,
  options: { resourceVersion?: string; labelSelector: string; sendInitialEvents?: boolean },
  count: number,
  react?: (event: WatchEvent<ConfigMap>) => Promise<void>,
): Promise<Events> {
  const stopper = new AbortController();
  const timer = setTimeout(() => stopper.abort(new Error('too late')), patience);
  const events: Events = [];
  try {
    for await (const batch of client.watch(configMaps, { namespace, ...options, signal: stopper.signal })) {
      for (const event of batch) {
        // Bookmarks may come whenever the server likes.
        if (event.type === 'BOOKMARK' && !event.initialEventsEnd) continue;
        events.push(event);
        await react?.(event);
      }
      if (events.length >= count) return events;
    }
  } finally {
    clearTimeout(timer);
    stopper.abort(new Error('done'));
  }
  return events;
}

function summary(event: WatchEvent<ConfigMap>): string {
  if (event.type === 'BOOKMARK') return `BOOKMARK ${event.initialEventsEnd ? 'end' : ''}`;
  if (event.type === 'ERROR') return `ERROR ${event.status.message}`;
  const object: Frozen<KubeObject> & { readonly data?: Readonly<Record<string, string>> } = event.object;
  return `${event.type} ${object.metadata.name} ${object.data?.['step']}`;
}
