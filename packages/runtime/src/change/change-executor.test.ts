import { VirtualClock } from '@slipway/base';
import { badRequest, conflict, type Frozen, type KubeObject } from '@slipway/kube';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Resource } from '../client/index.js';
import { type ConditionTarget, setCondition } from '../conditions/index.js';
import type { ReconcileContext } from '../controller/index.js';
import { FencedError } from '../leader-election/index.js';
import { edit } from '../reconcile/edit.js';
import { FakeApi } from '../testing/fake-api.js';
import {
  ChangeExecutor,
  ChangeFeed,
  type ChangeRecord,
  DryRunEnd,
  type ExecutorDependencies,
  remoteCluster,
} from './index.js';

interface Machine extends KubeObject {
  spec: { providerID?: string };
  status?: ConditionTarget['status'] & { phase?: string };
}

const machines: Resource<Machine> = {
  group: 'x.io',
  version: 'v1',
  kind: 'Machine',
  plural: 'machines',
  namespaced: true,
};
const key = { namespace: 'ns', name: 'm' };
const cause = { reason: 'Test', message: 'Changed by a test' };
const newMachine = (name = 'm'): Machine => ({
  apiVersion: 'x.io/v1',
  kind: 'Machine',
  metadata: { name, namespace: 'ns', finalizers: ['foreign'] },
  spec: {},
});

interface Opened {
  readonly api: FakeApi;
  readonly client: ReturnType<FakeApi['client']>;
  readonly machine: Frozen<Machine>;
  readonly executor: ChangeExecutor;
  readonly records: ChangeRecord[];
  readonly events: string[];
}

async function open(options: Partial<ExecutorDependencies> = {}): Promise<Opened> {
  const clock = new VirtualClock();
  const api = new FakeApi(clock);
  const client = api.client();
  const machine = await client.create(machines, newMachine());
  const feed = new ChangeFeed();
  const records: ChangeRecord[] = [];
  feed.subscribe((record) => void records.push(record));
  const events: string[] = [];
  const recorder = {
    record: (about: Frozen<KubeObject>, { type, reason, message }: { type: string; reason: string; message: string }) =>
      void events.push(`${type} ${about.metadata.name ?? ''} ${reason}: ${message}`),
  };
  const executor = new ChangeExecutor({ client, clock, controller: 'test', feed, events: recorder, ...options });
  return { api, client, machine, executor, records, events };
}

const linesOf = (records: readonly ChangeRecord[]): string[] =>
  records.map(({ verb, object, reason, result }) => `${verb} ${object.kind} ${object.name} ${reason} ${result}`);

describe('a controller', () => {
  it('has no write method in its context other than change and changeAll', () => {
    type Read = ReconcileContext['read'];
    expectTypeOf<
      Extract<keyof Read, 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deleteAll'>
    >().toEqualTypeOf<never>();
  });
});

describe('a patch change', () => {
  it('sends nothing and records nothing when nothing differs', async () => {
    const { api, executor, machine, records } = await open();
    expect(
      await executor.change({ verb: 'patch', resource: machines, before: machine, after: machine, ...cause }),
    ).toBe(machine);
    expect(api.writes).toHaveLength(1);
    expect(records).toEqual([]);
  });

  it('sends the smallest patch for the object and a second one for its status, and records both', async () => {
    const { api, executor, machine, records } = await open();
    const after = edit(machine, (draft) => {
      draft.spec.providerID = 'p://1';
      draft.status = { phase: 'Running' };
    });
    const result = await executor.change({ verb: 'patch', resource: machines, before: machine, after, ...cause });
    expect(api.writes.slice(1).map(({ subresource, body }) => [subresource, body])).toEqual([
      ['', { spec: { providerID: 'p://1' } }],
      ['status', { status: { phase: 'Running' } }],
    ]);
    expect(result.status?.phase).toBe('Running');
    expect(linesOf(records)).toEqual(['patch Machine m Test ok', 'status Machine m Test ok']);
    expect(records.map(({ fields }) => fields)).toEqual([
      [{ path: 'spec.providerID', to: 'p://1' }],
      [{ path: 'status', to: { phase: 'Running' } }],
    ]);
  });

  it('carries finalizers over a conflict and keeps those of others', async () => {
    const { api, client, executor, machine, records } = await open();
    await client.patch(machines, key, { type: 'merge', patch: { metadata: { finalizers: ['foreign', 'late'] } } });
    const after = edit(machine, (draft) => {
      draft.metadata.finalizers = ['foreign', 'ours'];
    });
    const result = await executor.change({ verb: 'patch', resource: machines, before: machine, after, ...cause });
    expect(result.metadata.finalizers).toEqual(['foreign', 'late', 'ours']);
    expect(api.writes.filter(({ verb }) => verb === 'patch')).toHaveLength(3);
    expect(linesOf(records)).toEqual(['patch Machine m Test failed', 'patch Machine m Test ok']);
  });

  it('forces owned conditions and preserves foreign ones, with a retry that reads again', async () => {
    const { client, executor, machine } = await open();
    const foreign = { type: 'Foreign', status: 'True', reason: 'F' };
    await client.patch(
      machines,
      key,
      { type: 'merge', patch: { status: { conditions: [foreign] } } },
      { subresource: 'status' },
    );
    const after = edit(machine, (draft) =>
      setCondition(draft as ConditionTarget, { type: 'Ready', status: 'True', reason: 'R' }, 0),
    );
    const change = {
      verb: 'status',
      resource: machines,
      before: machine,
      after,
      ownedConditions: ['Ready'],
      ...cause,
    } as const;
    const result = await executor.change(change);
    expect(result.status?.conditions?.map(({ type }) => type)).toEqual(['Ready', 'Foreign']);
  });

  it.each([
    { name: 'observes the generation that its own spec change creates', seen: [2, 1] },
    { name: 'does not observe a generation that another writer created as well', foreign: true, seen: [1, 1] },
    { name: 'does not observe its own generation by default', observesOwnChange: false, seen: [1, 1] },
  ])('$name', async ({ foreign = false, observesOwnChange = true, seen }) => {
    const { client, executor, machine: first } = await open();
    const conditions = ['Ready', 'Foreign'].map((type) => ({ type, status: 'True', reason: 'R' }) as const);
    const machine = edit(first, (draft) => {
      for (const condition of conditions) setCondition(draft as ConditionTarget, condition, 0);
    });
    const after = edit(machine, (draft) => {
      draft.spec.providerID = 'p://1';
    });
    if (foreign) await client.patch(machines, key, { type: 'merge', patch: { spec: { clusterName: 'other' } } });
    const { status } = await executor.change({
      verb: 'patch',
      resource: machines,
      before: first,
      after,
      ownedConditions: ['Ready'],
      observesOwnChange,
      ...cause,
    });
    const generations = new Map(status?.conditions?.map(({ type, observedGeneration }) => [type, observedGeneration]));
    expect([generations.get('Ready'), generations.get('Foreign')]).toEqual(seen);
  });

  it('gives up after five conflicts', async () => {
    const { api, executor, machine, records } = await open();
    api.onWrite = () => {
      throw conflict({ group: 'x.io', resource: 'machines' }, 'm');
    };
    const after = edit(machine, (draft) =>
      setCondition(draft as ConditionTarget, { type: 'Ready', status: 'True', reason: 'R' }, 0),
    );
    const change = { verb: 'patch', resource: machines, before: machine, after, ...cause } as const;
    await expect(executor.change(change)).rejects.toThrow(/has been modified/);
    expect(records).toHaveLength(5);
  });
});

describe('changes', () => {
  it('are made in order, each with its own record, and stop at the first failure', async () => {
    const { api, executor, records, events, machine } = await open();
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

  it('are all tried when asked to, and the failures are joined', async () => {
    const { executor } = await open();
    const again = { verb: 'create', resource: machines, object: newMachine(), ...cause } as const;
    const other = { ...again, object: newMachine('n') };
    await expect(executor.changeAll([again, other, again], { onError: 'continue' })).rejects.toThrow(
      'machines.x.io "m" already exists; machines.x.io "m" already exists',
    );
    await expect(executor.read.get(machines, { namespace: 'ns', name: 'n' })).resolves.toBeDefined();
  });

  it('end with the first refusal once the fence has closed, also when all are to be tried', async () => {
    let checks = 0;
    const fence = {
      signal: undefined,
      check: () => {
        checks += 1;
        throw new FencedError('another process leads');
      },
    };
    const { executor } = await open({ fence });
    const deletion = { verb: 'delete', resource: machines, key, ...cause } as const;
    const all = executor.changeAll([deletion, deletion], { onError: 'continue' });
    await expect(all).rejects.toThrow(FencedError);
    expect(checks).toBe(1);
  });

  it('are refused right before the request once the fence has closed', async () => {
    const fence = {
      signal: undefined,
      check: () => {
        throw new FencedError('another process leads');
      },
    };
    const { api, executor, records } = await open({ fence });
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

  it('reach a remote cluster only through the executor', async () => {
    const { executor, api, records } = await open();
    const remote = new FakeApi(new VirtualClock());
    const on = remoteCluster('ns/workload', remote.client());
    await executor.change({ verb: 'create', resource: machines, object: newMachine('n'), on, ...cause });
    expect(remote.find(machines, { namespace: 'ns', name: 'n' })).toBeDefined();
    expect(api.writes).toHaveLength(1);
    expect(records[0]?.cluster).toBe('ns/workload');
  });

  it('make no call in a dry run', async () => {
    const { executor, records } = await open({ dryRun: true });
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

describe('a preview', () => {
  it('asks the server for a dry run, and records nothing', async () => {
    const { client, machine } = await open();
    const asked: unknown[] = [];
    client.apply = (_resource, _key, _configuration, options) => {
      asked.push(options);
      return Promise.resolve(machine as never);
    };
    const { executor, records } = await open({ client });
    await executor.preview({ resource: machines, key, configuration: {}, fieldManager: 'm' });
    expect(asked).toMatchObject([{ dryRun: true, force: true, fieldManager: 'm' }]);
    expect(records).toEqual([]);
  });
});

describe('the change feed', () => {
  it('never shows a Secret value or a field that may hold credentials', async () => {
    const { executor, client, machine, records } = await open();
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

  it('shows no message of a server that refused a Secret', async () => {
    const { executor, api, records } = await open();
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
    const { executor } = await open({ feed });
    for (const name of ['a', 'b', 'c'])
      await executor.change({ verb: 'create', resource: machines, object: newMachine(name), ...cause });
    expect(feed.recent().map(({ object }) => object.name)).toEqual(['b', 'c']);
    expect(feed.published).toBe(3);
  });
});
