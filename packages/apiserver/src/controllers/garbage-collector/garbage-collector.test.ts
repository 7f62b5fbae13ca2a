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
    name: 'keeps an object without owners',
    act: async () => void (await graph.add('a/x')),
    places: ['a/x'],
    alive: ['a/x'],
  },
  {
    name: 'keeps a dependent with its owner',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['a/owner']);
    },
    places: ['a/owner', 'a/x'],
    alive: ['a/owner', 'a/x'],
  },
  {
    name: 'removes the owner immediately and dependents later in background deletion',
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
    name: 'deletes a chain link by link',
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
    name: 'keeps a dependent if one of two owners is deleted',
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
    name: 'deletes a dependent if both owners are deleted',
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
    name: 'treats an owner that never existed as absent',
    act: async () => void (await graph.addWith('a/x', [stray])),
    places: ['a/x'],
    alive: [],
  },
  {
    name: 'treats an owner with another uid as absent',
    async act() {
      await graph.add('a/owner');
      await graph.addWith('a/x', [stray]);
    },
    places: ['a/owner', 'a/x'],
    alive: ['a/owner'],
  },
  {
    name: 'treats a re-created owner as a different owner',
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
    name: 'treats a namespaced owner in another namespace as absent',
    async act() {
      await graph.add('a/owner');
      await graph.addWith('b/x', [graph.reference('a/owner')]);
    },
    places: ['a/owner', 'b/x'],
    alive: ['a/owner'],
  },
  {
    name: 'accepts a cluster-scoped owner of namespaced dependents',
    async act() {
      await graph.add('/owner');
      await graph.add('a/x', ['/owner']);
    },
    places: ['/owner', 'a/x'],
    alive: ['/owner', 'a/x'],
  },
  {
    name: 'deletes dependents of a cluster-scoped owner in every namespace',
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
    name: 'never collects a cluster-scoped dependent with a namespaced owner kind',
    async act() {
      await graph.add('a/owner');
      await graph.add('/x', ['a/owner']);
      await graph.delete('a/owner');
    },
    places: ['a/owner', '/x'],
    alive: ['/x'],
  },
  {
    name: 'does not delete dependents of an unknown owner kind',
    act: async () =>
      void (await graph.addWith('a/x', [{ apiVersion: 'example.com/v1', kind: 'Nothing', name: 'n', uid: 'u' }])),
    places: ['a/x'],
    alive: ['a/x'],
  },
  {
    name: 'does not delete dependents of an unknown version of a known kind',
    act: async () => void (await graph.addWith('a/x', [{ ...stray, apiVersion: 'v7' }])),
    places: ['a/x'],
    alive: ['a/x'],
  },
  {
    name: 'keeps a dependent with an owner of unknown state and an absent owner',
    act: async () =>
      void (await graph.addWith('a/x', [
        stray,
        { ...stray, uid: 'other', apiVersion: 'example.com/v1', kind: 'Nothing' },
      ])),
    places: ['a/x'],
    alive: ['a/x'],
  },
  {
    name: 'waits for the finalizer of a dependent',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['a/owner'], ['example.com/hold']);
      await graph.delete('a/owner');
    },
    places: ['a/owner', 'a/x'],
    alive: ['~a/x'],
  },
  {
    name: 'keeps the dependents when orphaning',
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
    name: 'deletes an orphaned owner without dependents',
    async act() {
      await graph.add('a/owner');
      await graph.delete('a/owner', 'Orphan');
    },
    places: ['a/owner'],
    alive: [],
  },
  {
    name: 'orphans the dependents of a dependent with the orphan finalizer',
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
    name: 'adds the foreground finalizer even without dependents',
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
    name: 'waits for a blocking dependent in foreground deletion',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['!a/owner'], ['example.com/hold']);
      await graph.delete('a/owner', 'Foreground');
    },
    places: ['a/owner', 'a/x'],
    alive: ['~a/owner', '~a/x'],
  },
  {
    name: 'deletes non-blocking dependents in foreground deletion without waiting for them',
    async act() {
      await graph.add('a/owner');
      await graph.add('a/x', ['a/owner'], ['example.com/hold']);
      await graph.delete('a/owner', 'Foreground');
    },
    places: ['a/owner', 'a/x'],
    alive: ['~a/x'],
  },
  {
    name: 'deletes dependents of dependents first in foreground deletion',
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
    name: 'finishes foreground deletion when the last blocking dependent is deleted',
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
    name: 'finishes foreground deletion when the dependent stops blocking',
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
    name: 'only removes the reference of a dependent with another owner in foreground deletion',
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
    name: 'deletes a dependent that is created during foreground deletion',
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
    name: 'finishes foreground deletion of two objects that own each other',
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
    name: 'keeps an object that owns itself until it is deleted',
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
    name: 'stops waiting if an owner in foreground deletion is deleted in the background',
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
    await plane.advance(1000);
    expect(graph.alive(...places)).toEqual(alive);
  });
});
