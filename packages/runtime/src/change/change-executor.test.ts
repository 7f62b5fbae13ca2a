import { createLogger, VirtualClock } from '@slipway/base';
import { badRequest, type Frozen, type JsonObject } from '@slipway/kube';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Resource } from '../client/index.js';
import type { ReconcileContext } from '../controller/index.js';
import { FencedError } from '../leader-election/index.js';
import { FakeApi } from '../testing/fake-api.js';
import { cause, key, linesOf, type Machine, machines, newMachine, openExecutor } from './change-executor-fixture.js';
import { edit } from './edit.js';
import { type Cause, type Change, ChangeFeed, DryRunEnd, type ExecutorDependencies, remoteCluster } from './index.js';

describe('the context of a reconcile', () => {
  it('has no write methods other than change and changeAll', () => {
    type Read = ReconcileContext['read'];
    expectTypeOf<
      Extract<keyof Read, 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deleteAll'>
    >().toEqualTypeOf<never>();
  });
});

describe('the log of changes', () => {
  const logOf = async (
    make: (machine: Frozen<Machine>) => Change,
    options: Partial<ExecutorDependencies> = {},
  ): Promise<string[]> => {
    const lines: string[] = [];
    const logger = createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
    const { executor, machine } = await openExecutor({ logger, ...options });
    await executor.change(make(machine));
    return lines.map((line: string) => {
      const { level, msg } = JSON.parse(line) as { level: string; msg: string };
      return `${level}: ${msg}`;
    });
  };
  const patched = (change: (draft: Machine) => void, more: Partial<Cause> = {}) => {
    return (before: Frozen<Machine>): Change => {
      const after = edit(before, (draft) => change(draft as Machine));
      return { verb: 'patch', resource: machines, before, after, ...cause, ...more };
    };
  };
  const label = (draft: Machine): void => void (draft.metadata.labels = { a: 'b' });
  const metadata = { apiVersion: 'x.io/v1', kind: 'Machine', metadata: { labels: { a: 'b' } } };
  const applied = (configuration: JsonObject) => (): Change => {
    return { verb: 'apply', resource: machines, key, configuration, fieldManager: 'test', ...cause };
  };
  const called: Change = { verb: 'call', resource: machines, key, action: 'x', run: () => Promise.resolve(), ...cause };

  it.each<{ name: string; change: (machine: Frozen<Machine>) => Change; line: string }>([
    {
      name: 'logs a create at info',
      change: () => ({ verb: 'create', resource: machines, object: newMachine('n'), ...cause }),
      line: 'info: Created object',
    },
    {
      name: 'logs a delete at info',
      change: () => ({ verb: 'delete', resource: machines, key, ...cause }),
      line: 'info: Deleted object',
    },
    { name: 'logs a call at info', change: () => called, line: 'info: Called' },
    {
      name: 'logs a patch of the spec at info',
      change: patched((draft) => void (draft.spec.providerID = 'p://1')),
      line: 'info: Patched object',
    },
    { name: 'logs a patch of metadata at debug', change: patched(label), line: 'debug: Patched object' },
    {
      name: 'logs a patch of metadata with an event at info',
      change: (machine) => patched(label, { event: { about: machine } })(machine),
      line: 'info: Patched object',
    },
    {
      name: 'logs a patch of the status at debug',
      change: patched((draft) => void (draft.status = { phase: 'Running' })),
      line: 'debug: Updated status',
    },
    {
      name: 'logs an apply at info',
      change: applied({ ...metadata, spec: { providerID: 'p://1' } }),
      line: 'info: Applied object',
    },
    { name: 'logs an apply of metadata at debug', change: applied(metadata), line: 'debug: Applied object' },
    {
      name: 'logs an apply that changed nothing at debug',
      change: (current) => {
        const configuration = { apiVersion: 'x.io/v1', kind: 'Machine', spec: {} };
        return { verb: 'apply', resource: machines, key, configuration, current, fieldManager: 'test', ...cause };
      },
      line: 'debug: Object unchanged',
    },
  ])('$name', async ({ change, line }) => {
    expect(await logOf(change)).toEqual([line]);
  });

  it('logs each object once: a JSON line has no duplicate key', async () => {
    const lines: string[] = [];
    const logger = createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
    const { executor, machine } = await openExecutor({
      logger: logger.child({ Machine: key }),
      reconciled: { kind: 'Machine', ...key },
    });
    await executor.change(patched(label)(machine));
    expect(lines.join('').match(/"Machine":/g)).toHaveLength(1);
  });

  it('logs the routine changes of a dry run at info', async () => {
    expect(await logOf(patched(label), { dryRun: true })).toEqual(['info: Patched object']);
  });
});

describe('changeAll and change', () => {
  it('makes changes in order, each with its own record, and stops at the first failure', async () => {
    const { api, executor, records, events, machine } = await openExecutor();
    const calls: string[] = [];
    await expect(
      executor.changeAll([
        { verb: 'create', resource: machines, object: newMachine('n'), ...cause, event: { about: machine } },
        { verb: 'delete', resource: machines, key: { namespace: 'ns', name: 'gone' }, ...cause },
        {
          verb: 'call',
          resource: machines,
          key,
          action: 'power off VM',
          run: async () => void calls.push('off'),
          ...cause,
        },
        {
          verb: 'create',
          resource: machines,
          object: newMachine(),
          ...cause,
          failureEvent: { about: machine, reason: 'FailedCreate', message: 'Failed to create Machine m' },
        },
        { verb: 'delete', resource: machines, key, ...cause },
      ]),
    ).rejects.toThrow('already exists');
    expect(calls).toEqual(['off']);
    expect(linesOf(records)).toEqual([
      'create Machine n Test ok',
      'delete Machine gone Test failed',
      'call Machine m Test ok',
      'create Machine m Test failed',
    ]);
    expect(events).toEqual([
      'Normal m Test: Changed by a test',
      'Warning m FailedCreate: Failed to create Machine m: machines.x.io "m" already exists',
    ]);
    expect(api.find(machines, key)).toBeDefined();
  });

  it('tries all changes with onError: continue, and joins the failures', async () => {
    const { executor } = await openExecutor();
    const again = { verb: 'create', resource: machines, object: newMachine(), ...cause } as const;
    const other = { ...again, object: newMachine('n') };
    await expect(executor.changeAll([again, other, again], { onError: 'continue' })).rejects.toThrow(
      'machines.x.io "m" already exists; machines.x.io "m" already exists',
    );
    await expect(executor.read.get(machines, { namespace: 'ns', name: 'n' })).resolves.toBeDefined();
  });

  it('stops at the first rejection once the fence has closed, even with onError: continue', async () => {
    let checks = 0;
    const fence = {
      signal: undefined,
      check: () => {
        checks += 1;
        throw new FencedError('another process leads');
      },
    };
    const { executor } = await openExecutor({ fence });
    const deletion = { verb: 'delete', resource: machines, key, ...cause } as const;
    const all = executor.changeAll([deletion, deletion], { onError: 'continue' });
    await expect(all).rejects.toThrow(FencedError);
    expect(checks).toBe(1);
  });

  it('rejects a change right before the request once the fence has closed', async () => {
    const fence = {
      signal: undefined,
      check: () => {
        throw new FencedError('another process leads');
      },
    };
    const { api, executor, records } = await openExecutor({ fence });
    await expect(executor.change({ verb: 'delete', resource: machines, key, ...cause })).rejects.toThrow(FencedError);
    const call = {
      verb: 'call',
      resource: machines,
      key,
      action: 'x',
      run: () => Promise.resolve(1),
      ...cause,
    } as const;
    await expect(executor.change(call)).rejects.toThrow(FencedError);
    expect(api.writes).toHaveLength(1);
    expect(records).toEqual([]);
  });

  it('writes to a remote cluster only through the executor', async () => {
    const { executor, api, records } = await openExecutor();
    const remote = new FakeApi(new VirtualClock());
    const on = remoteCluster('ns/workload', remote.client());
    await executor.change({ verb: 'create', resource: machines, object: newMachine('n'), on, ...cause });
    expect(remote.find(machines, { namespace: 'ns', name: 'n' })).toBeDefined();
    expect(api.writes).toHaveLength(1);
    expect(records[0]?.cluster).toBe('ns/workload');
  });

  it('applies later changes of a dry run to an object that it created, without a request', async () => {
    const { api, executor, records } = await openExecutor({ dryRun: true });
    const created = await executor.change({ verb: 'create', resource: machines, object: newMachine('n'), ...cause });
    const writes = api.writes.length;
    const target = { resource: machines, key: { namespace: 'ns', name: 'n' }, ...cause };
    const { uid = '' } = created.metadata;
    const configuration = { metadata: { uid, labels: { a: 'b' } } };
    const applied = await executor.change({
      ...target,
      verb: 'apply',
      configuration,
      current: created,
      fieldManager: 't',
    });
    expect(applied.metadata).toMatchObject({ uid, labels: { a: 'b' } });
    expect(await executor.change({ ...target, verb: 'delete' })).toBeUndefined();
    expect(api.writes).toHaveLength(writes);
    expect(linesOf(records)).toEqual([
      'create Machine n Test ok',
      'apply Machine n Test ok',
      'delete Machine n Test ok',
    ]);
  });

  it('makes no call in a dry run', async () => {
    const { executor, records } = await openExecutor({ dryRun: true });
    const run = (): Promise<number> => Promise.reject(new Error('called'));
    const call = { verb: 'call', resource: machines, key, action: 'clone VM', run, ...cause } as const;
    expect(await executor.change({ ...call, assume: () => 7 })).toBe(7);
    await expect(executor.change(call)).rejects.toThrow(DryRunEnd);
    expect(records.map(({ dryRun, action }) => [dryRun, action])).toEqual([
      [true, 'clone VM'],
      [true, 'clone VM'],
    ]);
  });
});

describe('preview', () => {
  it('sends a dry run to the server, and records nothing', async () => {
    const { client, machine } = await openExecutor();
    const dryRuns: unknown[] = [];
    client.apply = (_resource, _key, _configuration, options) => {
      dryRuns.push(options);
      return Promise.resolve(machine as never);
    };
    const { executor, records } = await openExecutor({ client });
    await executor.preview({ resource: machines, key, configuration: {}, fieldManager: 'm' });
    expect(dryRuns).toMatchObject([{ dryRun: true, force: true, fieldManager: 'm' }]);
    expect(records).toEqual([]);
  });
});

describe('the change feed', () => {
  it('never shows a Secret value or a field that may hold credentials', async () => {
    const { executor, client, machine, records } = await openExecutor();
    const secrets: Resource = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };
    const metadata = { name: 's', namespace: 'ns' };
    const before = await client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, data: { a: 'b2xk' } });
    const after = edit(before, (draft) => void ((draft as Record<string, unknown>)['data'] = { a: 'bmV3' }));
    await executor.change({ verb: 'patch', resource: secrets, before, after, ...cause });
    const files = edit(
      machine,
      (draft) => void ((draft.spec as Record<string, unknown>)['files'] = [{ path: '/p', content: 'bmV3' }]),
    );
    await executor.change({ verb: 'patch', resource: machines, before: machine, after: files, ...cause });
    expect(records.map(({ fields }) => fields)).toEqual([
      [{ path: 'data.a', to: '(hidden)' }],
      [{ path: 'spec.files', to: [{ path: '/p', content: '(hidden)' }] }],
    ]);
  });

  it('contains no message of a server that rejected a Secret', async () => {
    const { executor, api, records } = await openExecutor();
    const secrets: Resource = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };
    api.onWrite = () => {
      throw badRequest('invalid value "c2VjcmV0"');
    };
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'ns' } };
    await expect(executor.change({ verb: 'create', resource: secrets, object, ...cause })).rejects.toThrow('c2VjcmV0');
    expect(records.map(({ error }) => error)).toEqual(['BadRequest']);
  });

  it('keeps the most recent records, oldest first', async () => {
    const feed = new ChangeFeed({ recentMax: 2 });
    const { executor } = await openExecutor({ feed });
    for (const name of ['a', 'b', 'c'])
      await executor.change({ verb: 'create', resource: machines, object: newMachine(name), ...cause });
    expect(feed.recent().map(({ object }) => object.name)).toEqual(['b', 'c']);
    expect(feed.published).toBe(3);
  });
});
