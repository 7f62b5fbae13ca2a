import fc from 'fast-check';
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

describe('owner references after garbage collection', () => {
  it('removes only the dangling references when some owners remain', async () => {
    await graph.add('a/one');
    await graph.add('a/two');
    await graph.add('a/x', ['a/one', 'a/two']);
    await graph.delete('a/one');
    await plane.settle();
    expect(graph.ownersOf('a/x')).toEqual(['two']);
  });

  it('keeps the references to other owners when orphaning', async () => {
    await graph.add('a/one');
    await graph.add('a/two');
    await graph.add('a/x', ['!a/one', 'a/two']);
    await graph.delete('a/one', 'Orphan');
    await plane.settle();
    expect(graph.ownersOf('a/x')).toEqual(['two']);
    expect(graph.alive('a/one')).toEqual([]);
  });

  it('records an event for an owner reference across namespaces', async () => {
    const owner = await graph.add('a/owner');
    await graph.addWith('b/x', [graph.reference('a/owner')]);
    await plane.settle();
    const events = plane.store.list({ resource: 'events', namespace: 'b' }).map(({ object }) => object);
    expect(events.map(({ type, reason, message }) => ({ type, reason, message }))).toEqual([
      {
        type: 'Warning',
        reason: 'OwnerRefInvalidNamespace',
        message: `ownerRef [v1/ConfigMap, namespace: b, name: owner, uid: ${owner.metadata.uid}] does not exist in namespace "b"`,
      },
    ]);
  });

  it('does not process objects that are unrelated to an event', async () => {
    for (let index = 0; index < 20; index += 1) await graph.add(`a/x${index}`);
    await plane.settle();
    const before = plane.store.revision;
    await graph.add('a/owner');
    await graph.delete('a/owner');
    await plane.settle();
    expect(plane.store.revision).toBe(before + 2);
  });
});

describe('garbage collection of custom resources', () => {
  it('collects instances of CRDs that were created after it started', async () => {
    await plane.define('Widget');
    await graph.add('a/Widget:owner');
    await graph.add('a/Widget:x', ['a/Widget:owner']);
    await graph.add('a/y', ['a/Widget:x']);
    await graph.delete('a/Widget:owner');
    await plane.settle();
    expect(graph.alive('a/Widget:owner', 'a/Widget:x', 'a/y')).toEqual([]);
  });

  it('waits for kinds of CRDs to be discoverable before it treats an owner as absent', async () => {
    await graph.addWith('a/x', [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'gone' }]);
    await plane.advance(60_000);
    expect(graph.alive('a/x')).toEqual(['a/x']);
    await plane.define('Widget');
    await plane.settle();
    expect(graph.alive('a/x')).toEqual([]);
  });

  it('collects dependents of instances that are deleted with their CRD', async () => {
    await plane.define('Widget');
    await graph.add('a/Widget:owner');
    await graph.add('a/x', ['a/Widget:owner']);
    const crds = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
    await plane.client.delete(crds, '', 'widgets.example.com');
    await plane.advance(1000);
    expect(plane.registry.endpointForKind('example.com', 'v1', 'Widget')).toBeUndefined();
    expect(graph.alive('a/x')).toEqual([]);
  });
});

describe('a restarted garbage collector', () => {
  const crashes = Array.from({ length: 12 }, (_unused, index) => ({ writes: index + 1 }));

  it.each(crashes)('finishes a foreground deletion (after $writes writes)', async ({ writes }) => {
    const dependencies = await Plane.open();
    const own = new OwnerGraph(dependencies);
    await dependencies.namespace('a');
    await own.add('a/owner');
    await own.add('a/x', ['!a/owner']);
    await own.add('a/y', ['!a/x'], ['example.com/hold']);
    await own.add('a/z', ['!a/y', '!a/owner']);
    const first = dependencies.run(new GarbageCollector(dependencies));
    first.start();
    const end = dependencies.store.revision + writes;
    const ended = new Promise<void>((resolve) => {
      dependencies.store.watch({ resource: 'configmaps' }, dependencies.store.revision, ({ revision }) => {
        if (revision >= end) void first.dispose().then(resolve);
      });
    });
    await own.delete('a/owner', 'Foreground');
    await dependencies.settle();
    if (own.get('a/y') !== undefined) await own.patch('a/y', { finalizers: null });
    await dependencies.settle();
    if (dependencies.store.revision >= end) await ended;
    dependencies.run(new GarbageCollector(dependencies)).start();
    await dependencies.advance(1000);
    expect(own.alive('a/owner', 'a/x', 'a/y', 'a/z')).toEqual([]);
    await dependencies.dispose();
  });

  it('collects objects whose owner was deleted while it was stopped', async () => {
    const dependencies = await Plane.open();
    const own = new OwnerGraph(dependencies);
    await dependencies.namespace('a');
    await own.add('a/owner');
    await own.add('a/x', ['a/owner']);
    await own.add('a/kept');
    await own.delete('a/owner');
    dependencies.run(new GarbageCollector(dependencies)).start();
    await dependencies.settle();
    expect(own.alive('a/x', 'a/kept')).toEqual(['a/kept']);
    await dependencies.dispose();
  });
});

describe('a garbage collector that starts with many objects', () => {
  interface IndexingCase {
    readonly name: string;
    readonly act: (own: OwnerGraph) => Promise<void>;
    /** Objects that exist while the index of the collector is incomplete: nothing may be collected yet. */
    readonly before: readonly string[];
    readonly after: readonly string[];
  }
  // Secrets are indexed after ConfigMaps, and the ConfigMaps alone exceed one indexing batch.
  const places = ['a/owner', 'a/Secret:x', 'a/Secret:y'];
  const rows: readonly IndexingCase[] = [
    { name: 'keeps objects with an owner', act: () => Promise.resolve(), before: places, after: places },
    {
      name: 'waits for blocking dependents that it has not seen yet',
      act: (own) => own.delete('a/owner', 'Foreground'),
      before: ['~a/owner', 'a/Secret:x', 'a/Secret:y'],
      after: ['~a/owner', '~a/Secret:x'],
    },
    {
      name: 'orphans dependents that it has not seen yet',
      act: (own) => own.delete('a/owner', 'Orphan'),
      before: ['~a/owner', 'a/Secret:x', 'a/Secret:y'],
      after: ['a/Secret:x', 'a/Secret:y'],
    },
    {
      name: 'collects objects whose owner was deleted before they were indexed',
      act: (own) => own.delete('a/owner'),
      before: ['a/Secret:x', 'a/Secret:y'],
      after: ['~a/Secret:x'],
    },
    {
      name: 'keeps an object that was adopted again before it was indexed',
      async act(own) {
        await own.add('a/other');
        await own.patch('a/Secret:y', { ownerReferences: [own.reference('a/other')] });
        await own.delete('a/owner');
      },
      before: ['a/Secret:x', 'a/Secret:y'],
      after: ['~a/Secret:x', 'a/Secret:y'],
    },
  ];

  it.each(rows)('$name', async ({ act, before, after }) => {
    const dependencies = await Plane.open();
    const own = new OwnerGraph(dependencies);
    await dependencies.namespace('a');
    for (let index = 0; index < 1_100; index += 1) await own.add(`a/filler-${index}`);
    await own.add('a/owner');
    await own.add('a/Secret:x', ['!a/owner'], ['example.com/hold']);
    await own.add('a/Secret:y', ['a/owner']);
    const collector = dependencies.run(new GarbageCollector(dependencies));
    collector.start();
    expect(collector.behind).toBe(true);
    await act(own);
    expect(own.alive(...places)).toEqual(before);
    await dependencies.advance(1000);
    expect(collector.behind).toBe(false);
    expect(own.alive(...places)).toEqual(after);
    await dependencies.dispose();
  });
});

interface Deletion {
  readonly target: number;
  readonly policy: 'Background' | 'Foreground' | 'Orphan';
}

/** Random ownership graphs: each object is owned by some of the previous ones. */
const graphs = fc.array(fc.array(fc.record({ owner: fc.nat(), blocks: fc.boolean() }), { maxLength: 3 }), {
  minLength: 1,
  maxLength: 12,
});
const deletions: fc.Arbitrary<Deletion[]> = fc.array(
  fc.record({ target: fc.nat(), policy: fc.constantFrom('Background', 'Foreground', 'Orphan') }),
  { maxLength: 5 },
);

/** A brute-force model of ownership and cascading deletion. */
class Model {
  readonly owners = new Map<number, Set<number>>();

  delete(target: number, policy: Deletion['policy']): void {
    if (!this.owners.delete(target)) return;
    if (policy === 'Orphan') {
      for (const owners of this.owners.values()) owners.delete(target);
      return;
    }
    const freed = [...this.owners].filter(([, owners]) => owners.delete(target) && owners.size === 0);
    for (const [dependent] of freed) this.delete(dependent, 'Background');
  }
}

describe('garbage collection of random owner graphs', () => {
  it('converges to the objects that the model predicts', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, deletions, fc.boolean(), async (objects, steps, together) => {
        const dependencies = await Plane.open();
        const own = new OwnerGraph(dependencies);
        await dependencies.namespace('a');
        dependencies.run(new GarbageCollector(dependencies)).start();
        const model = new Model();
        for (const [index, ownerSpecs] of objects.entries()) {
          const owners = new Map(
            index === 0 ? [] : ownerSpecs.map(({ owner, blocks }) => [owner % index, blocks] as const),
          );
          model.owners.set(index, new Set(owners.keys()));
          await own.add(
            `a/o${index}`,
            [...owners].map(([owner, blocks]) => `${blocks ? '!' : ''}a/o${owner}`),
          );
        }
        for (const { target, policy } of steps) {
          // The result of orphaning depends on the order of deletions; without it, order does not matter.
          const chosen = together && policy === 'Orphan' ? 'Foreground' : policy;
          await own.delete(`a/o${target % objects.length}`, chosen);
          model.delete(target % objects.length, chosen);
          if (!together) await dependencies.advance(1000);
        }
        await dependencies.advance(5000);
        const names = [...model.owners.keys()].map((index) => `a/o${index}`);
        expect(own.alive(...objects.map((_unused, index) => `a/o${index}`))).toEqual(names);
        for (const [index, owners] of model.owners)
          expect(new Set(own.ownersOf(`a/o${index}`))).toEqual(new Set([...owners].map((owner) => `o${owner}`)));
        await dependencies.dispose();
      }),
      { numRuns: 80 },
    );
  });
});
