import { VirtualClock } from '@slipway/base';
import type { Observed } from '@slipway/insight';
import type { Client } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { outlookFor } from '../model/infrastructure.js';
import { KnownOutlooks, OutlookDesk } from './provider-outlooks.js';
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

describe('providers', () => {
  it.each([
    { name: 'of the inventory alone', inventory: [entry], objects: [], then: row },
    {
      name: 'with an object that wants the same',
      inventory: [entry],
      objects: [managed('1.0.0', 'v1.0.0')],
      then: row,
    },
    {
      name: 'on the way to another version',
      inventory: [entry],
      objects: [managed('v1.1.0', 'v1.0.0')],
      then: { ...row, wanted: 'v1.1.0' },
    },
    {
      name: 'that are not installed yet',
      inventory: [],
      objects: [managed('v1.1.0', '')],
      then: { ...row, installed: '', wanted: 'v1.1.0' },
    },
  ])('are one row each: those $name', ({ inventory, objects, then }) => {
    expect(providersOf(inventory, objects)).toEqual({ [key]: then });
  });

  it('have an outlook only for the version that they have now', () => {
    const view = { ...row, tone: 'off' } as const;
    expect(outlookFor(view, [outlook])).toBe(outlook);
    expect(outlookFor({ ...view, installed: 'v1.1.0' }, [outlook])).toBeUndefined();
  });
});

describe('the outlook on providers', () => {
  const client = {} as Client;

  it('is fetched for one person at a time, and not for long', async () => {
    const clock = new VirtualClock();
    const asked: boolean[] = [];
    const desk = new OutlookDesk({
      clock,
      read: (_client, { mayFetch, signal }) => {
        asked.push(mayFetch);
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        });
      },
    });
    const first = desk.fetch(client, new AbortController().signal).catch((error: unknown) => error);
    await expect(desk.fetch(client, new AbortController().signal)).rejects.toMatchObject({ status: 429 });
    await clock.advance(30_000);
    expect(await first).toMatchObject({ status: 504, message: 'no response within 30 seconds' });
    expect(asked).toEqual([true]);
  });

  it('says what went wrong instead of an answer', async () => {
    const read = (): Promise<never> => Promise.reject(new Error('the config file cannot be used'));
    const desk = new OutlookDesk({ clock: new VirtualClock(), read });
    const { signal } = new AbortController();
    await expect(desk.fetch(client, signal)).rejects.toMatchObject({
      status: 502,
      message: 'cannot check for newer versions: the config file cannot be used',
    });
  });

  it('is read again when providers have changed and after a failure', async () => {
    let fails = true;
    let asked = 0;
    const told: (() => void)[] = [];
    const changed = (): Promise<void> => new Promise((resolve) => void told.push(resolve));
    const known = new KnownOutlooks(
      () => {
        asked += 1;
        return fails ? Promise.reject(new Error('no')) : Promise.resolve([outlook]);
      },
      () => told.shift()?.(),
    );
    const ask = async (state: string): Promise<void> => {
      const answered = changed();
      known.of(state);
      await answered;
    };
    await ask('one');
    fails = false;
    await ask('one');
    expect(known.of('one')).toEqual([outlook]);
    expect(asked).toBe(2);
    await ask('two');
    expect(asked).toBe(3);
  });
});
