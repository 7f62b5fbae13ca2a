import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Plane } from '../testing/plane.js';
import { GarbageCollector } from './garbage-collector.js';
import { OwnerGraph } from './owner-graph.fixture.js';

let plane: Plane;
let graph: OwnerGraph;

beforeEach(async () => {
  plane = await Plane.open();
  graph = new OwnerGraph(plane);
  for (const name of ['a', 'b']) await plane.namespace(name);
  plane.run(new GarbageCollector(plane)).start();
});

afterEach(() => plane.dispose());

interface Row {
  readonly name: string;
  readonly act: () => Promise<void>;
  readonly places: readonly string[];
  readonly alive: readonly string[];
}

const stray = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'no-such-uid' };

const rows: readonly Row[] = [
  {
    name: 'an object without owners stays',
    act: async () => void (await graph.add('a/x')),
    places: ['a/x'],
    alive: ['a/x'],
  },
  {
    name: 'a dependent stays with its owner',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['a/owner']);
    },
    places: ['a/owner', 'a/x'],
    alive: ['a/owner', 'a/x'],
  },
  {
    name: 'Background delete: the owner disappears at once and dependents later',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['a/owner']);
      await graph.delete('a/owner');
      expect(graph.alive('a/owner', 'a/x')).toEqual(['a/x']);
    },
    places: ['a/owner', 'a/x'],
    alive: [],
  },
  {
    name: 'a chain goes link by link',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['a/owner']);
      await graph.add('a/y', ['a/x']);
      await graph.add('a/z', ['a/y']);
      await graph.delete('a/owner');
    },
    places: ['a/owner', 'a/x', 'a/y', 'a/z'],
    alive: [],
  },
  {
    name: 'one owner of two gone: the dependent stays',
    async act() {
      await graph.add('a/one');
      await graph.add('a/two');
      await graph.add('a/x', ['a/one', 'a/two']);
      await graph.delete('a/one');
    },
    places: ['a/one', 'a/two', 'a/x'],
    alive: ['a/two', 'a/x'],
  },
  {
    name: 'both owners gone: the dependent goes',
    async act() {
      await graph.add('a/one');
      await graph.add('a/two');
      await graph.add('a/x', ['a/one', 'a/two']);
      await graph.delete('a/one');
      await graph.delete('a/two');
    },
    places: ['a/one', 'a/two', 'a/x'],
    alive: [],
  },
  {
    name: 'an owner that never was counts as absent',
    act: async () => void (await graph.addWith('a/x', [stray])),
    places: ['a/x'],
    alive: [],
  },
  {
    name: 'uid mismatch with the same name counts as absent',
    async act() {
      await graph.add('a/owner');
      await graph.addWith('a/x', [stray]);
    },
    places: ['a/owner', 'a/x'],
    alive: ['a/owner'],
  },
  {
    name: 'a re-created owner is a different owner',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['a/owner']);
      await graph.delete('a/owner');
      await graph.add('a/owner');
    },
    places: ['a/owner', 'a/x'],
    alive: ['a/owner'],
  },
  {
    name: 'a namespaced owner in another namespace counts as absent',
    async act() {
      await graph.add('a/owner');
      await graph.addWith('b/x', [graph.reference('a/owner')]);
    },
    places: ['a/owner', 'b/x'],
    alive: ['a/owner'],
  },
  {
    name: 'Owner reference to a cluster-scoped owner from namespaced dependents is valid',
    async act() {
      await graph.add('/owner');
      await graph.add('a/x', ['/owner']);
    },
    places: ['/owner', 'a/x'],
    alive: ['/owner', 'a/x'],
  },
  {
    name: 'dependents of a cluster-scoped owner go with it, in every namespace',
    async act() {
      await graph.add('/owner');
      await graph.add('a/x', ['/owner']);
      await graph.add('b/y', ['/owner']);
      await graph.delete('/owner');
    },
    places: ['/owner', 'a/x', 'b/y'],
    alive: [],
  },
  {
    name: 'a cluster-scoped dependent with a namespaced owner kind is never collected',
    async act() {
      await graph.add('a/owner');
      await graph.add('/x', ['a/owner']);
      await graph.delete('a/owner');
    },
    places: ['a/owner', '/x'],
    alive: ['/x'],
  },
  {
    name: 'an unknown kind of owner: no deletion',
    act: async () =>
      void (await graph.addWith('a/x', [{ apiVersion: 'example.com/v1', kind: 'Nothing', name: 'n', uid: 'u' }])),
    places: ['a/x'],
    alive: ['a/x'],
  },
  {
    name: 'an unknown version of a known kind: no deletion',
    act: async () => void (await graph.addWith('a/x', [{ ...stray, apiVersion: 'v7' }])),
    places: ['a/x'],
    alive: ['a/x'],
  },
  {
    name: 'an owner of unknown state keeps a dependent that an absent owner would not',
    act: async () =>
      void (await graph.addWith('a/x', [
        stray,
        { ...stray, uid: 'other', apiVersion: 'example.com/v1', kind: 'Nothing' },
      ])),
    places: ['a/x'],
    alive: ['a/x'],
  },
  {
    name: 'a dependent with a finalizer waits for it',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['a/owner'], ['example.com/hold']);
      await graph.delete('a/owner');
    },
    places: ['a/owner', 'a/x'],
    alive: ['~a/x'],
  },
  {
    name: 'orphan: the dependents stay',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['a/owner']);
      await graph.add('a/y', ['!a/owner']);
      await graph.delete('a/owner', 'Orphan');
    },
    places: ['a/owner', 'a/x', 'a/y'],
    alive: ['a/x', 'a/y'],
  },
  {
    name: 'orphan without dependents: the owner goes',
    async act() {
      await graph.add('a/owner');
      await graph.delete('a/owner', 'Orphan');
    },
    places: ['a/owner'],
    alive: [],
  },
  {
    name: 'a dependent that had the orphan finalizer lets its own dependents go free',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['a/owner'], ['orphan']);
      await graph.add('a/y', ['a/x']);
      await graph.delete('a/owner');
    },
    places: ['a/owner', 'a/x', 'a/y'],
    alive: ['a/y'],
  },
  {
    name: 'Delete with propagationPolicy=Foreground on an object with no dependents still passes through the finalizer stage',
    async act() {
      await graph.add('a/owner');
      await graph.delete('a/owner', 'Foreground');
      expect(graph.alive('a/owner')).toEqual(['~a/owner']);
      expect(graph.get('a/owner')?.metadata.finalizers).toEqual(['foregroundDeletion']);
    },
    places: ['a/owner'],
    alive: [],
  },
  {
    name: 'foreground: the owner waits for a blocking dependent',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['!a/owner'], ['example.com/hold']);
      await graph.delete('a/owner', 'Foreground');
    },
    places: ['a/owner', 'a/x'],
    alive: ['~a/owner', '~a/x'],
  },
  {
    name: 'foreground: the owner does not wait for others, which go all the same',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['a/owner'], ['example.com/hold']);
      await graph.delete('a/owner', 'Foreground');
    },
    places: ['a/owner', 'a/x'],
    alive: ['~a/x'],
  },
  {
    name: 'foreground goes down: dependents of dependents go first',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['!a/owner']);
      await graph.add('a/y', ['!a/x'], ['example.com/hold']);
      await graph.delete('a/owner', 'Foreground');
      await plane.settle();
      expect(graph.get('a/x')?.metadata.finalizers).toEqual(['foregroundDeletion']);
    },
    places: ['a/owner', 'a/x', 'a/y'],
    alive: ['~a/owner', '~a/x', '~a/y'],
  },
  {
    name: 'foreground ends when the last blocking dependent is gone',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['!a/owner'], ['example.com/hold']);
      await graph.add('a/y', ['!a/owner']);
      await graph.delete('a/owner', 'Foreground');
      await plane.settle();
      await graph.patch('a/x', { finalizers: null });
    },
    places: ['a/owner', 'a/x', 'a/y'],
    alive: [],
  },
  {
    name: 'foreground ends when the dependent stops blocking',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['!a/owner'], ['example.com/hold']);
      await graph.delete('a/owner', 'Foreground');
      await plane.settle();
      await graph.patch('a/x', { ownerReferences: [graph.reference('a/owner')] });
    },
    places: ['a/owner', 'a/x'],
    alive: ['~a/x'],
  },
  {
    name: 'foreground: a dependent that another owner keeps only loses the reference',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/other');
      await graph.add('a/x', ['!a/owner', 'a/other']);
      await graph.delete('a/owner', 'Foreground');
    },
    places: ['a/owner', 'a/other', 'a/x'],
    alive: ['a/other', 'a/x'],
  },
  {
    name: 'foreground: a dependent that comes late goes too',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['!a/owner'], ['example.com/hold']);
      await graph.delete('a/owner', 'Foreground');
      await plane.settle();
      await graph.add('a/late', ['!a/owner']);
      await plane.settle();
      await graph.patch('a/x', { finalizers: null });
    },
    places: ['a/owner', 'a/x', 'a/late'],
    alive: [],
  },
  {
    name: 'foreground: two objects that own each other do not wait forever',
    async act() {
      await graph.add('a/one');
      await graph.add('a/two', ['!a/one']);
      await graph.patch('a/one', { ownerReferences: [graph.reference('!a/two')] });
      await graph.delete('a/one', 'Foreground');
    },
    places: ['a/one', 'a/two'],
    alive: [],
  },
  {
    name: 'an object that owns itself stays until it is deleted',
    async act() {
      await graph.add('a/one');
      await graph.patch('a/one', { ownerReferences: [graph.reference('a/one')] });
      await plane.settle();
      expect(graph.alive('a/one')).toEqual(['a/one']);
      await graph.delete('a/one');
    },
    places: ['a/one'],
    alive: [],
  },
  {
    name: 'Background on an owner that was deleted in the foreground gives up the waiting',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['!a/owner'], ['example.com/hold']);
      await graph.delete('a/owner', 'Foreground');
      await plane.settle();
      await graph.delete('a/owner', 'Background');
    },
    places: ['a/owner', 'a/x'],
    alive: ['~a/x'],
  },
];

describe('garbage collection', () => {
  it.each(rows)('$name', async ({ act, places, alive }) => {
    await act();
    await plane.pass(1000);
    expect(graph.alive(...places)).toEqual(alive);
  });
});
