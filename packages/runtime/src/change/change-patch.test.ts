import { conflict, type JsonObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { type ConditionTarget, setCondition } from '../conditions/index.js';
import { cause, key, linesOf, machines, openExecutor } from './change-executor-fixture.js';
import { edit } from './edit.js';
import { ChangeFeed, type ChangeRecord } from './index.js';

describe('a patch change', () => {
  it('sends nothing and records nothing when nothing differs', async () => {
    const { api, executor, machine, records } = await openExecutor();
    expect(
      await executor.change({ verb: 'patch', resource: machines, before: machine, after: machine, ...cause }),
    ).toBe(machine);
    expect(api.writes).toHaveLength(1);
    expect(records).toEqual([]);
  });

  it('sends the smallest patch for the object and a second one for its status, and records both', async () => {
    const { api, executor, machine, records } = await openExecutor();
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

  it('repeats a change of finalizers after a conflict, and keeps those of other writers', async () => {
    const { api, client, executor, machine, records } = await openExecutor();
    await client.patch(machines, key, { type: 'merge', patch: { metadata: { finalizers: ['foreign', 'late'] } } });
    const after = edit(machine, (draft) => {
      draft.metadata.finalizers = ['foreign', 'ours'];
    });
    const result = await executor.change({ verb: 'patch', resource: machines, before: machine, after, ...cause });
    expect(result.metadata.finalizers).toEqual(['foreign', 'late', 'ours']);
    expect(api.writes.filter(({ verb }) => verb === 'patch')).toHaveLength(3);
    expect(linesOf(records)).toEqual(['patch Machine m Test failed', 'patch Machine m Test ok']);
  });

  it('overwrites owned conditions and preserves others, reading the object again on a conflict', async () => {
    const { client, executor, machine } = await openExecutor();
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
    const { client, executor, machine: first } = await openExecutor();
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
    const { api, executor, machine, records } = await openExecutor();
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

describe('a request that changed nothing', () => {
  const configuration = { apiVersion: 'x.io/v1', kind: 'Machine', spec: { providerID: 'p://1' } };
  const apply = { verb: 'apply', resource: machines, key, configuration, fieldManager: 'test', ...cause } as const;

  it('records an apply that changed nothing as unchanged, and does not keep it with the recent changes', async () => {
    const feed = new ChangeFeed();
    const { executor } = await openExecutor({ feed });
    const seen: ChangeRecord[] = [];
    feed.subscribe((record) => void seen.push(record));
    await executor.change(apply);
    await executor.change(apply);
    expect(linesOf(seen)).toEqual(['apply Machine m Test ok', 'apply Machine m Test unchanged']);
    expect(linesOf(feed.recent())).toEqual(['apply Machine m Test ok']);
  });

  it('detects an unchanged apply from the current object that the caller passes, without another read', async () => {
    const { client, executor, records } = await openExecutor();
    const current = await executor.change({ ...apply, current: 'absent' });
    client.get = () => Promise.reject(new Error('read'));
    await executor.change({ ...apply, current });
    expect(linesOf(records)).toEqual(['apply Machine m Test ok', 'apply Machine m Test unchanged']);
  });

  it('records a patch with a resourceVersion that changed nothing as unchanged', async () => {
    const { executor, machine, records } = await openExecutor();
    const patch = (body: JsonObject): Promise<unknown> =>
      executor.change({ verb: 'patch', resource: machines, key, body: { type: 'merge', patch: body }, ...cause });
    const { resourceVersion = '' } = machine.metadata;
    await patch({ metadata: { resourceVersion } });
    await patch({ spec: { providerID: 'p://1' } });
    expect(records.map(({ result }) => result)).toEqual(['unchanged', 'ok']);
  });

  it('records the status as unchanged if only the object changed', async () => {
    const { client, executor, machine, records } = await openExecutor();
    await client.patch(
      machines,
      key,
      { type: 'merge', patch: { status: { phase: 'Running' } } },
      { subresource: 'status' },
    );
    const after = edit(machine, (draft) => {
      draft.spec.providerID = 'p://1';
      draft.status = { phase: 'Running' };
    });
    await executor.change({ verb: 'patch', resource: machines, before: machine, after, ...cause });
    expect(linesOf(records)).toEqual(['patch Machine m Test ok', 'status Machine m Test unchanged']);
  });

  it("does not report the removal of a deleting object's last finalizer as unchanged", async () => {
    const { client, executor, records } = await openExecutor();
    await client.delete(machines, key);
    const deleting = await client.get(machines, key);
    const after = edit(deleting, (draft) => void (draft.metadata.finalizers = []));
    await executor.change({ verb: 'patch', resource: machines, before: deleting, after, ...cause });
    expect(linesOf(records)).toEqual(['patch Machine m Test ok']);
  });
});
