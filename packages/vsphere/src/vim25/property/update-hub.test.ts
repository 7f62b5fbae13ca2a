import { silentLogger, sleep, VirtualClock } from '@slipway/base';
import { beforeEach, describe, expect, it } from 'vitest';
import { VimConnectionError } from '../errors.js';
import type { ObjectRef } from '../schema/index.js';
import type { CallOptions, SoapSession } from '../session/soap-session.js';
import { UpdateHub } from './update-hub.js';

const task: ObjectRef = { type: 'Task', value: 'task-1' };

/** A vCenter that responds, fails every call, or does not respond to some calls. */
class FakeServer {
  /** The names of calls that succeeded, and the number of failed calls. */
  calls: string[] = [];
  vain = 0;
  /** The objects for which the server no longer responds. */
  readonly stuck = new Set<string>();
  #failure: Error | undefined;
  #breakWait: (error: Error) => void = () => undefined;
  #made = 0;

  constructor(private readonly clock: VirtualClock) {}

  readonly session = {
    content: () => this.#answer('content', { propertyCollector: refOf('PropertyCollector', 'own'), viewManager: {} }),
    call: (
      method: string,
      target: ObjectRef,
      parameters: { readonly version?: string },
      { signal, timeoutMs = 60_000 }: CallOptions = {},
    ) => {
      if (this.stuck.has(target.value)) return this.#neverAnswer(timeoutMs, signal);
      if (method === 'CreatePropertyCollector') return this.#answer(method, this.#make('PropertyCollector'));
      if (method === 'CreateListView') return this.#answer(method, this.#make('ListView'));
      if (method === 'ModifyListView') return this.#answer(method, []);
      if (method === 'WaitForUpdatesEx' && parameters.version !== '' && this.#failure === undefined)
        return this.#wait(signal);
      return this.#answer(`${method} ${target.value}`, { version: '1' });
    },
  } as unknown as Pick<SoapSession, 'call' | 'content'>;

  fail(error: Error): void {
    this.#failure = error;
    this.#breakWait(error);
  }

  comeBack(): void {
    this.#failure = undefined;
    this.calls = [];
  }

  #wait(signal: AbortSignal | undefined): Promise<never> {
    return new Promise((_resolve, reject) => {
      this.#breakWait = reject;
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  }

  async #neverAnswer(timeoutMs: number, signal: AbortSignal | undefined): Promise<never> {
    await sleep(this.clock, timeoutMs, { signal });
    throw new VimConnectionError('timeout', 'vc:443 did not respond within 60 s');
  }

  #make(type: string): ObjectRef {
    this.#made += 1;
    return refOf(type, `made-${this.#made}`);
  }

  #answer(what: string, result: unknown): Promise<unknown> {
    if (this.#failure === undefined) {
      this.calls.push(what);
      return Promise.resolve(result);
    }
    this.vain += 1;
    return Promise.reject(this.#failure);
  }
}

function refOf(type: string, value: string): ObjectRef {
  return { type, value };
}

const refused = new VimConnectionError('unreachable', 'vc:443 is not reachable: ECONNREFUSED');

describe('an update hub whose vCenter becomes unreachable', () => {
  let clock: VirtualClock;
  let server: FakeServer;
  let hub: UpdateHub;
  let reported: (string | undefined)[];
  beforeEach(async () => {
    clock = new VirtualClock();
    server = new FakeServer(clock);
    hub = new UpdateHub(server.session, clock, silentLogger);
    reported = [];
    hub.standBy(() => reported.push(hub.outage?.message));
    await clock.advance(0);
  });

  it('reports a lasting outage, every other cause, and the recovery', async () => {
    server.fail(refused);
    await clock.advance(999);
    expect(reported).toEqual([]);
    await clock.advance(1);
    expect(reported).toEqual([refused.message]);
    await clock.advance(60_000);
    expect(reported).toEqual([refused.message]);
    server.fail(new VimConnectionError('unavailable', 'vc:443 returned HTTP status 503'));
    await clock.advance(30_000);
    server.comeBack();
    await clock.advance(30_000);
    expect(reported).toEqual([refused.message, 'vc:443 returned HTTP status 503', undefined]);
    await hub.dispose();
  });

  it('does not report a closed connection', async () => {
    server.fail(refused);
    await clock.advance(0);
    server.comeBack();
    await clock.advance(120_000);
    expect(reported).toEqual([]);
    expect(hub.outage).toBeUndefined();
    await hub.dispose();
  });

  it('retries for all listeners with back-off', async () => {
    for (let count = 0; count < 1000; count += 1) hub.standBy(() => reported.push(hub.outage?.message));
    server.fail(refused);
    await clock.advance(0);
    const probes: number[] = [];
    for (let second = 1; second <= 120; second += 1) {
      const before = server.vain;
      await clock.advance(1000);
      if (server.vain > before) probes.push(second);
    }
    expect(probes).toEqual([1, 3, 7, 15, 31, 61, 91]);
    expect(reported).toHaveLength(1001);
    await hub.dispose();
  });

  it('releases its server-side objects after the recovery', async () => {
    hub.watch(task, () => undefined);
    server.fail(refused);
    await clock.advance(1000);
    server.comeBack();
    await clock.advance(2000);
    expect(server.calls.filter((call) => call.startsWith('Destroy'))).toEqual([
      'DestroyPropertyCollector made-1',
      'DestroyView made-2',
      'DestroyView made-3',
    ]);
    await hub.dispose();
  });

  it('stops retrying without listeners', async () => {
    await hub.dispose();
    const own = new UpdateHub(server.session, clock, silentLogger);
    const waiting = own.standBy(() => reported.push('own'));
    await clock.advance(0);
    server.fail(refused);
    await clock.advance(1000);
    expect(reported).toEqual(['own']);
    await waiting.dispose();
    await clock.advance(10_000);
    const before = server.vain;
    await clock.advance(600_000);
    expect(server.vain).toBe(before);
    expect(own.outage).toBeUndefined();
  });
});

describe('an update hub whose vCenter does not respond for a list', () => {
  it('continues with another list without waiting for the release', async () => {
    const clock = new VirtualClock();
    const server = new FakeServer(clock);
    const hub = new UpdateHub(server.session, clock, silentLogger);
    hub.standBy(() => undefined);
    await clock.advance(0);
    const made = ['made-1', 'made-2', 'made-3'];
    for (const name of made) server.stuck.add(name);
    server.calls = [];
    hub.watch(task, () => undefined);
    await clock.advance(32_000);
    expect(server.calls).toContain('WaitForUpdatesEx made-4');
    expect(server.calls).toContain('ModifyListView');
    await hub.dispose();
  });
});
