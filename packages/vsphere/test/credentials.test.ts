import { Scope, silentLogger, systemClock, systemRandom } from '@slipway/base';
import { InProcessClient } from '@slipway/plane';
import { type Client, keyText, secrets } from '@slipway/runtime';
import { startEmbeddedServer } from '@slipway/testing/plane';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CredentialsWatch } from '../src/vcenter/credentials/index.js';

const scope = new Scope();
const key = { namespace: 'default', name: 'account' };
let client: Client;
let watch: CredentialsWatch;
let reads = 0;
/** Called when the watch reports the Secret. */
let notify: (() => void) | undefined;

beforeAll(async () => {
  const embedded = await startEmbeddedServer();
  scope.defer(() => embedded.stop());
  client = new InProcessClient({ registry: embedded.server.registry });
  await client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: key,
    stringData: { username: 'admin', password: 'first' },
  });
  watch = new CredentialsWatch({
    client,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    namespace: '',
  });
  scope.add(watch);
});
afterAll(() => scope.dispose());

/** Waits until the watch received the next event of the Secret. */
function reported(): Promise<void> {
  return new Promise((resolve) => (notify = resolve));
}

const read = (): ReturnType<CredentialsWatch['read']> => {
  const counting: Pick<Client, 'get'> = {
    get: (resource, from, options) => {
      reads += 1;
      return client.get(resource, from, options);
    },
  };
  return watch.read(counting as Client, key, {});
};

describe('credentials of a Secret', () => {
  it('are cached, and read again when the Secret changes', async () => {
    const known = reported();
    scope.add(
      watch.subscribe((secret) => {
        if (keyText(secret) === keyText(key)) notify?.();
      }),
    );
    await known;
    expect([await read(), await read()]).toEqual(Array(2).fill({ username: 'admin', password: 'first' }));
    expect(reads).toBe(1);
    const changed = reported();
    await client.patch(secrets, key, { type: 'merge', patch: { stringData: { password: 'second' } } });
    await changed;
    expect([await read(), await read()]).toEqual(Array(2).fill({ username: 'admin', password: 'second' }));
    expect(reads).toBe(2);
  });

  it('are not served from the cache after the Secret is deleted', async () => {
    const gone = reported();
    await client.delete(secrets, key);
    await gone;
    await expect(read()).rejects.toThrow('Secret default/account with the credentials for vCenter not found');
  });
});
