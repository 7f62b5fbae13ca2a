import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type Observed, referencesOf, refOf } from '../src/index.js';
import { isControlPlaneObject, ownerships, readAll } from '../src/objects/index.js';
import { ref } from './manifests.js';
import { available, untilCondition } from './situations.js';
import { startSimulatedPlane, type SimulatedPlane } from './simulated-plane.js';

let plane: SimulatedPlane;
let objects: readonly Observed[] = [];

beforeAll(async () => {
  plane = await startSimulatedPlane();
  const sample = readFileSync(new URL('../../../docs/samples/quick-start-topology.yaml', import.meta.url), 'utf8');
  const text = sample.replaceAll('namespace: default', 'namespace: classy');
  await plane.create(...parseAllDocuments(text).map((document) => document.toJS() as object));
  await untilCondition(plane, ref('Cluster', 'classy', 'quick-start'), 'Available', 'True');
  await available(plane, { name: 'demo', namespace: 'plain' });
  ({ objects } = await readAll(plane.client));
});
afterAll(() => plane?.stop());

/** Returns the role of an object in the diagrams. */
function roleOf(object: Pick<Observed, 'apiVersion' | 'kind' | 'metadata'>): string {
  const { group, kind } = refOf(object as Observed);
  const isTemplate = kind.endsWith('Template');
  if (group.startsWith('controlplane.')) return isTemplate ? 'ControlPlaneTemplate' : 'ControlPlane';
  if (group.startsWith('bootstrap.')) return isTemplate ? 'BootstrapConfigTemplate' : 'BootstrapConfig';
  if (!group.startsWith('infrastructure.')) return kind;
  const what = /Cluster/.test(kind) ? 'Cluster' : /Pool/.test(kind) ? 'MachinePool' : 'Machine';
  return `${what}Infrastructure${isTemplate ? 'Template' : ''}`;
}

describe('the diagrams of docs/concepts/objects.md', () => {
  it('contain every owner reference of a cluster with and without a topology', () => {
    const unknown = objects.flatMap((object) =>
      (object.metadata.ownerReferences ?? []).flatMap((owner) => {
        const child = roleOf(object);
        const by = roleOf({ apiVersion: owner.apiVersion, kind: owner.kind, metadata: {} });
        const known = ownerships.filter((one) => one.child === child && one.owner === by);
        const wanted = owner.controller === true ? ['yes', 'with a topology'] : ['no', 'with a topology'];
        return known.some(({ controller }) => wanted.includes(controller))
          ? []
          : [`${child} ← ${by} (controller: ${owner.controller ?? false})`];
      }),
    );
    expect([...new Set(unknown)]).toEqual([]);
  });

  it('contain every reference in the specs of these objects', () => {
    const seen = objects.flatMap((object) => {
      const known = new Set(referencesOf(object).map(({ path }) => path.replaceAll(/\[\d+\]/g, '[]')));
      return pathsWithReferences(object['spec'], 'spec')
        .filter((path) => !known.has(path))
        .map((path) => `${isControlPlaneObject(object) ? 'ControlPlane' : object.kind} ${path}`);
    });
    expect([...new Set(seen)]).toEqual([]);
  });
});

/** Returns the paths of all values that have a kind and a name: such values reference an object. */
function pathsWithReferences(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsWithReferences(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  const { kind, name } = value as { kind?: unknown; name?: unknown };
  if (typeof kind === 'string' && typeof name === 'string') return [path];
  return Object.entries(value).flatMap(([key, item]) => pathsWithReferences(item, `${path}.${key}`));
}
