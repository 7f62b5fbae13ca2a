import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Disposable, Scope, systemClock, systemRandom } from '@slipway/base';
import { type ConfigMap, configMaps, InformerFactory, namespaces } from '@slipway/runtime';
import type { Client } from '@slipway/runtime';

export interface InformerTarget {
  readonly client: Client;
  stop(): Promise<void>;
}

export interface RestartableTarget extends InformerTarget {
  /** Stops the server and restarts it with the same data. */
  restart(): Promise<void>;
}

const namespace = 'informed';
const patience = { timeout: 60_000, interval: 20 };

/** Tests an informer with any client, without restarting the server: an in-process server cannot be stopped. */
export function informerConformance(name: string, start: () => Promise<InformerTarget>): void {
  suite(name, start);
}

export function restartConformance(name: string, start: () => Promise<RestartableTarget>): void {
  suite(name, start, restartTest);
}

function suite<Target extends InformerTarget>(
  name: string,
  start: () => Promise<Target>,
  more?: (use: () => Target, newFactory: () => InformerFactory) => void,
): void {
  describe(`an informer: ${name}`, () => {
    let target: Target;
    const scope = new Scope();

    beforeAll(async () => {
      target = await start();
      await target.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    });

    afterAll(async () => {
      await scope.dispose();
      await target?.stop();
    });

    const newFactory = (): InformerFactory & Disposable =>
      scope.add(new InformerFactory({ client: target.client, clock: systemClock, random: systemRandom }));

    it('syncs, follows changes, and finds objects by index', async () => {
      const { client } = target;
      for (const step of ['1', '2', '1']) await client.create(configMaps, generated('indexed-', { step }));
      const byStep = (object: { readonly data?: Readonly<Record<string, string>> }): string[] => [
        object.data?.['step'] ?? '',
      ];
      const informer = newFactory().informer(configMaps, { namespace, indexes: { step: byStep } });
      await informer.whenSynced();
      expect(informer.byIndex('step', '1')).toHaveLength(2);
      const created = await client.create(configMaps, generated('indexed-', { step: '1' }));
      await informer.waitFor((view) => view.byIndex('step', '1').length === 3);
      await client.deleteAll(configMaps, { namespace });
      await informer.waitFor((view) => view.byIndex('step', '1').length === 0);
      expect(informer.get({ namespace, name: created.metadata.name ?? '' })).toBeUndefined();
    });

    it('caches metadata only, next to an informer of full objects', async () => {
      const { client } = target;
      const factory = newFactory();
      const whole = factory.informer(configMaps, { namespace });
      const informer = factory.metadataInformer(configMaps, { namespace });
      const { metadata } = await client.create(configMaps, generated('named-', { large: 'x'.repeat(1000) }));
      const key = { namespace, name: metadata.name ?? '' };
      const found = await informer.waitFor((view) => view.get(key));
      expect(found).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { uid: metadata.uid } });
      const content = client.sharesObjects === true ? ['data'] : [];
      expect(Object.keys(found).sort()).toEqual(['apiVersion', ...content, 'kind', 'metadata']);
      const labels = { seen: 'yes' };
      await client.patch(configMaps, key, { type: 'merge', patch: { metadata: { labels } } });
      await informer.waitFor((view) => view.get(key)?.metadata.labels?.['seen'] === 'yes');
      const { items } = await client.list(configMaps, { namespace, metadataOnly: true });
      const listed = items.find((item) => item.metadata.uid === metadata.uid);
      expect(listed).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { labels } });
      expect(listed?.data === undefined).toBe(client.sharesObjects !== true);
      await whole.waitFor((view) => view.get(key)?.data?.['large'] !== undefined);
    });

    it('delivers every object once and in order to handlers that are added at any time', async () => {
      const { client } = target;
      const informer = newFactory().informer(configMaps, { namespace, labelSelector: 'ordered' });
      const early: string[] = [];
      informer.addHandler({
        added: (object) => early.push(`+${object.data?.['step']}`),
        updated: (object) => early.push(`~${object.data?.['step']}`),
        deleted: (object) => early.push(`-${object.data?.['step']}`),
      });
      await informer.whenSynced();
      const { name = '' } = (await client.create(configMaps, generated('ordered-', { step: '0' }, { ordered: '' })))
        .metadata;
      for (let step = 1; step <= 5; step += 1) {
        await client.patch(configMaps, { namespace, name }, { type: 'merge', patch: { data: { step: String(step) } } });
      }
      await informer.waitFor((view) => view.get({ namespace, name })?.data?.['step'] === '5');
      const late: string[] = [];
      informer.addHandler({ added: (object, { initial }) => late.push(`${initial}${object.data?.['step']}`) });
      expect(late).toEqual(['true5']);
      await client.delete(configMaps, { namespace, name });
      await informer.waitFor((view) => view.size === 0);
      expect(early).toEqual(['+0', '~1', '~2', '~3', '~4', '~5', '-5']);
    });

    more?.(() => target, newFactory);
  });
}

function restartTest(use: () => RestartableTarget, newFactory: () => InformerFactory): void {
  it('resumes after a server restart without missing events', async () => {
    const target = use();
    const { client } = target;
    const informer = newFactory().informer(configMaps, { namespace, labelSelector: 'restarted' });
    await informer.whenSynced();
    const first = await client.create(configMaps, generated('restarted-', {}, { restarted: '' }));
    await informer.waitFor((view) => view.size === 1);
    await target.restart();
    await expect.poll(() => isUp(client), patience).toBe(true);
    await client.create(configMaps, generated('restarted-', {}, { restarted: '' }));
    await client.delete(configMaps, { namespace, name: first.metadata.name ?? '' });
    await expect.poll(() => informer.list().map((one) => one.metadata.uid), patience).toHaveLength(1);
    await expect.poll(() => informer.list()[0]?.metadata.uid === first.metadata.uid, patience).toBe(false);
    expect(informer.status().lastError).toBeUndefined();
  });
}

function generated(prefix: string, data: Record<string, string>, labels: Record<string, string> = {}): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: prefix, namespace, labels }, data };
}

async function isUp(client: Client): Promise<boolean> {
  return client.list(namespaces, { limit: 1 }).then(
    () => true,
    () => false,
  );
}
