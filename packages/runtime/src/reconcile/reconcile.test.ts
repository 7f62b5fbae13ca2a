import { VirtualClock } from '@slipway/base';
import { deepEqual, deepFreeze, type Frozen, type JsonValue, type KubeObject, parseJsonValue } from '@slipway/kube';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChangeExecutor, edit } from '../change/index.js';
import type { Resource } from '../client/index.js';
import type { ConditionTarget } from '../conditions/index.js';
import { done, joinOutcomes, retry, terminal, wait } from '../controller/index.js';
import { FakeApi } from '../testing/fake-api.js';
import {
  ensureFinalizer,
  ensureOwnerReference,
  isControlledBy,
  isSameOwner,
  ownerReference,
  releaseFinalizer,
  removeOwnerReference,
} from './index.js';

interface Machine extends KubeObject {
  spec: { providerID?: string; taints?: string[]; a?: { b: number } };
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
const newMachine = (): Machine => ({
  apiVersion: 'x.io/v1',
  kind: 'Machine',
  metadata: { name: 'm', namespace: 'ns', finalizers: ['foreign'] },
  spec: { a: { b: 1 } },
});

async function open(): Promise<{ api: FakeApi; machine: Frozen<Machine>; client: ReturnType<FakeApi['client']> }> {
  const api = new FakeApi(new VirtualClock());
  const client = api.client();
  const machine = await client.create(machines, newMachine());
  return { api, client, machine };
}

describe('edit', () => {
  const base = deepFreeze({ a: { b: [1, { c: 2 }] }, d: { e: 'x' }, list: [{ n: 1 }, { n: 2 }, { n: 3 }] });

  it('copies only the ancestors of changed values', () => {
    const next = edit(base, (draft) => {
      draft.d.e = 'y';
    });
    expect(next).toEqual({ ...base, d: { e: 'y' } });
    expect(next.a).toBe(base.a);
    expect(Object.isFrozen(next.d)).toBe(true);
    expect(base.d.e).toBe('x');
  });

  it('returns the same object if nothing changed in the end', () => {
    const next = edit(base, (draft) => {
      draft.d.e = 'y';
      draft.d.e = 'x';
      draft.list = draft.list.filter(() => true);
      draft.a = { b: [1, { c: 2 }] };
    });
    expect(next).toBe(base);
  });

  it('resolves drafts that move within the object', () => {
    const next = edit(base, (draft) => {
      draft.list.reverse();
      const first = draft.list[0];
      if (first !== undefined) first.n = 30;
      draft.list.push({ n: 4 });
      draft.list.splice(1, 1);
    });
    expect(next.list).toEqual([{ n: 30 }, { n: 1 }, { n: 4 }]);
    expect(next.list[1]).toBe(base.list[0]);
  });

  it('rejects changes of a draft after the edit', () => {
    let kept: { e: string } | undefined;
    edit(base, (draft) => {
      kept = draft.d;
    });
    expect(() => Object.assign(kept as object, { e: 'z' })).toThrow(/after its edit has ended/);
  });

  it('treats __proto__ as an ordinary key and deletes undefined members', () => {
    const hostile = deepFreeze(parseJsonValue('{"__proto__":{"a":1},"b":1}')) as { b?: number; [key: string]: unknown };
    const next = edit(hostile, (draft) => {
      draft.b = undefined;
    });
    expect(Object.keys(next)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it('returns the same result as changing a clone', () => {
    const step = fc.record({
      path: fc.array(fc.constantFrom('a', 'b', '0', '1'), { minLength: 1, maxLength: 3 }),
      value: fc.jsonValue({ maxDepth: 2 }),
    });
    const change = (root: Record<string, unknown>, path: readonly string[], value: unknown): void => {
      let node: unknown = root;
      for (const name of path.slice(0, -1))
        node = typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[name] : undefined;
      const last = path.at(-1) as string;
      if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
      if (value === null) delete (node as Record<string, unknown>)[last];
      else (node as Record<string, unknown>)[last] = value;
    };
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue({ maxDepth: 3 })),
        fc.array(step),
        (start, steps) => {
          const plain = JSON.parse(JSON.stringify(start)) as Record<string, unknown>;
          const frozen = deepFreeze(JSON.parse(JSON.stringify(start)) as Record<string, JsonValue>);
          const text = JSON.stringify(frozen);
          for (const { path, value } of steps) change(plain, path, structuredClone(value));
          const next = edit(frozen, (draft) => {
            for (const { path, value } of steps) change(draft as Record<string, unknown>, path, structuredClone(value));
          });
          expect(deepEqual(next, plain)).toBe(true);
          expect(JSON.stringify(frozen)).toBe(text);
        },
      ),
    );
  });
});

describe('finalizers', () => {
  it('adds a finalizer once, never to a deleting object, and removes it', async () => {
    const { api, client, machine } = await open();
    const writer = new ChangeExecutor({ client, clock: new VirtualClock(), controller: 'test' });
    const added = await ensureFinalizer(writer, machines, machine, 'ours');
    expect(added.object.metadata.finalizers).toEqual(['foreign', 'ours']);
    expect((await ensureFinalizer(writer, machines, added.object, 'ours')).changed).toBe(false);
    const deleting = (await client.delete(machines, key)) as Frozen<Machine>;
    expect((await ensureFinalizer(writer, machines, deleting, 'new')).changed).toBe(false);
    const one = await releaseFinalizer(writer, machines, deleting, 'ours');
    await releaseFinalizer(writer, machines, one.object, 'foreign');
    expect(api.find(machines, key)).toBeUndefined();
  });
});

describe('owner references', () => {
  const owner = { apiVersion: 'x.io/v1beta2', kind: 'Set', metadata: { name: 's', uid: 'u2' } };
  it('compares owners without their version, and updates references', () => {
    const metadata = { ownerReferences: [{ apiVersion: 'x.io/v1beta1', kind: 'Set', name: 's', uid: 'u1' }] };
    ensureOwnerReference(metadata, ownerReference(owner, { controller: true }));
    expect(metadata.ownerReferences).toEqual([
      { apiVersion: 'x.io/v1beta2', kind: 'Set', name: 's', uid: 'u2', controller: true, blockOwnerDeletion: true },
    ]);
    expect(isControlledBy({ metadata }, owner)).toBe(true);
    expect(isControlledBy({ metadata }, { ...owner, metadata: { name: 's', uid: 'u3' } })).toBe(false);
    const other = ownerReference({ ...owner, metadata: { name: 'z', uid: 'u9' } }, { controller: true });
    expect(() => ensureOwnerReference(metadata, other)).toThrow('already controlled by Set s');
    removeOwnerReference(metadata, ownerReference(owner));
    expect(metadata.ownerReferences).toEqual([]);
  });
  it('distinguishes owners by group', () => {
    const reference = ownerReference(owner);
    expect(isSameOwner(reference, { ...reference, apiVersion: 'y.io/v1beta2' })).toBe(false);
  });
});

describe('joinOutcomes', () => {
  const short = wait({ ms: 5, reason: 'A', message: '' });
  const long = wait({ ms: 50, reason: 'B', message: '' });
  const parked = wait({ reason: 'C', message: '' });
  it.each([
    { name: 'is done without outcomes', given: [], then: done() },
    { name: 'waits for the earliest time', given: [parked, long, done(), short], then: short },
    { name: 'prefers an error over a wait', given: [short, retry(new Error('x'))], then: retry(new Error('x')) },
    { name: 'is terminal only if all errors are', given: [terminal(new Error('t'))], then: terminal(new Error('t')) },
  ])('$name', ({ given, then }) => {
    expect(joinOutcomes(given)).toEqual(then);
  });
  it('retries if one of the errors is retryable', () => {
    expect(joinOutcomes([terminal(new Error('t')), retry(new Error('r'))])).toMatchObject({
      type: 'retry',
      error: { message: 't; r' },
    });
  });
});
