import { VirtualClock } from '@slipway/base';
import type { Observed } from '@slipway/insight';
import type { Client } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { outlookFor } from '../model/infrastructure.js';
import { CurrentOutlooks, OutlookReader } from './provider-outlooks.js';
import { providersOf } from './providers.js';

const metadata = { namespace: 'pond-system', name: 'pond' };
const entry = {
  apiVersion: 'clusterctl.cluster.x-k8s.io/v1alpha3',
  kind: 'Provider',
  metadata: { ...metadata, name: 'infrastructure-pond' },
  providerName: 'pond',
  type: 'InfrastructureProvider',
  version: 'v1.0.0',
} as unknown as Observed;

function managed(version: string, installedVersion: string): Observed {
  const apiVersion = 'operator.cluster.x-k8s.io/v1alpha2';
  const object = { apiVersion, kind: 'InfrastructureProvider', metadata, spec: { version } };
  return { ...object, status: { installedVersion } } as unknown as Observed;
}

const row = { ...metadata, type: 'InfrastructureProvider', installed: 'v1.0.0', wanted: '', tone: 'off', why: '' };
const key = 'InfrastructureProvider pond-system/pond';
const outlook = {
  ...metadata,
  type: 'InfrastructureProvider',
  version: 'v1.0.0',
  next: 'v1.1.0',
  how: '',
  unknown: '',
  isUnasked: false,
};

describe('providersOf', () => {
  it.each([
    { name: 'with an inventory entry only', inventory: [entry], objects: [], then: row },
    {
      name: 'with an operator object of the same version',
      inventory: [entry],
      objects: [managed('1.0.0', 'v1.0.0')],
      then: row,
    },
    {
      name: 'with an operator object of another version',
      inventory: [entry],
      objects: [managed('v1.1.0', 'v1.0.0')],
      then: { ...row, wanted: 'v1.1.0' },
    },
    {
      name: 'that is not installed yet',
      inventory: [],
      objects: [managed('v1.1.0', '')],
      then: { ...row, installed: '', wanted: 'v1.1.0' },
    },
  ])('returns one row for a provider $name', ({ inventory, objects, then }) => {
    expect(providersOf(inventory, objects)).toEqual({ [key]: then });
  });

  it('attaches the available upgrade only to the version for which it was read', () => {
    const view = { ...row, tone: 'off' } as const;
    expect(outlookFor(view, [outlook])).toBe(outlook);
    expect(outlookFor({ ...view, installed: 'v1.1.0' }, [outlook])).toBeUndefined();
  });
});

describe('available provider upgrades', () => {
  const client = {} as Client;

  it('are fetched for one user at a time, with a timeout', async () => {
    const clock = new VirtualClock();
    const reads: boolean[] = [];
    const outlookReader = new OutlookReader({
      clock,
      read: (_client, { mayFetch, signal }) => {
        reads.push(mayFetch);
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        });
      },
    });
    const first = outlookReader.fetch(client, new AbortController().signal).catch((error: unknown) => error);
    await expect(outlookReader.fetch(client, new AbortController().signal)).rejects.toMatchObject({ status: 429 });
    await clock.advance(30_000);
    expect(await first).toMatchObject({ status: 504, message: 'no response within 30 seconds' });
    expect(reads).toEqual([true]);
  });

  it('return the reason why they cannot be fetched', async () => {
    const read = (): Promise<never> => Promise.reject(new Error('the config file cannot be used'));
    const outlookReader = new OutlookReader({ clock: new VirtualClock(), read });
    const { signal } = new AbortController();
    await expect(outlookReader.fetch(client, signal)).rejects.toMatchObject({
      status: 502,
      message: 'cannot check for newer versions: the config file cannot be used',
    });
  });

  it('are read again when providers change and after a failure', async () => {
    let fails = true;
    let reads = 0;
    const waiting: (() => void)[] = [];
    const changed = (): Promise<void> => new Promise((resolve) => void waiting.push(resolve));
    const outlooks = new CurrentOutlooks(
      () => {
        reads += 1;
        return fails ? Promise.reject(new Error('no')) : Promise.resolve([outlook]);
      },
      () => waiting.shift()?.(),
    );
    const readFor = async (state: string): Promise<void> => {
      const done = changed();
      outlooks.of(state);
      await done;
    };
    await readFor('one');
    fails = false;
    await readFor('one');
    expect(outlooks.of('one')).toEqual([outlook]);
    expect(reads).toBe(2);
    await readFor('two');
    expect(reads).toBe(3);
  });
});
