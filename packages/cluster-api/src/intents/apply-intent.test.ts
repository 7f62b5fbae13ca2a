import { expect, it } from 'vitest';
import { VirtualClock } from '@slipway/base';
import type { JsonObject } from '@slipway/kube';
import { ChangeExecutor, type Client } from '@slipway/runtime';
import { machines } from '../api/index.js';
import { machineInPlace } from '../machine-set/index.js';
import { machineFixture, machineSetFixture } from '../testing/machine-objects.js';
import { applyIntent } from './apply-intent.js';
import { IntentCache } from './intent-cache.js';

it('sends an intent once, and again only when it or the object has changed', async () => {
  const sent: JsonObject[] = [];
  const set = machineSetFixture(1);
  // The server stores no empty annotations map.
  const { annotations: _annotations, ...metadata } = machineFixture('ms-1').metadata;
  const first = { ...machineFixture('ms-1'), metadata };
  let stored = first;
  const client = {
    apply: (_resource: unknown, _key: unknown, intent: JsonObject) => {
      sent.push(intent);
      const own = intent['metadata'] as { labels: Record<string, string>; finalizers: string[] };
      const owners = (intent['metadata'] as { ownerReferences: never[] }).ownerReferences;
      const { labels, finalizers } = own;
      stored = { ...first, metadata: { ...metadata, labels, finalizers, ownerReferences: owners } };
      return Promise.resolve(stored);
    },
  } as unknown as Client;
  const context = new ChangeExecutor({ client, clock: new VirtualClock(), controller: 'test' });
  const cache = new IntentCache();
  const apply = async (fingerprint: string): Promise<void> => {
    const intent = machineInPlace(set, stored) as unknown as JsonObject;
    const options = { resource: machines, current: stored, intent, fieldManager: 'm', fingerprint };
    await applyIntent(context, cache, options);
  };
  await apply('a');
  expect(sent).toHaveLength(1);
  await apply('a');
  expect(sent).toHaveLength(1);
  await apply('b');
  expect(sent).toHaveLength(2);
  stored = first;
  await apply('b');
  expect(sent).toHaveLength(3);
});
