import type { CustomResourceDefinition, Frozen, JsonObject, KubeObject } from '@slipway/kube';
import { type Client, type ControllerSet, customResourceDefinitions, type Resource } from '@slipway/runtime';
import { startTestPlane, type TestPlane } from '@slipway/testing/plane';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MigrationPhase } from '../src/crd-migration/index.js';
import { crdMigrator, skipCrdMigrationPhases } from '../src/index.js';

const group = 'boats.example.com';
const boats = (version: string): Resource => ({ group, version, kind: 'Boat', plural: 'boats', namespaced: true });
const name = `boats.${group}`;
const key = { namespace: '', name };
const annotation = 'crd-migration.cluster.x-k8s.io/observed-generation';

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
}

function versionsOf(versions: readonly Version[]): CustomResourceDefinition['spec']['versions'] {
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
  };
  return versions.map((version) => ({
    ...version,
    schema: { openAPIV3Schema },
    subresources: { status: {} },
  })) as unknown as CustomResourceDefinition['spec']['versions'];
}

const definition = (versions: readonly Version[]): CustomResourceDefinition =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Boat', plural: 'boats', singular: 'boat', listKind: 'BoatList' },
      versions: versionsOf(versions),
    },
  }) as CustomResourceDefinition;

const v1Alone = [{ name: 'v1', served: true, storage: true }];
const v2Stored = [
  { name: 'v1', served: true, storage: false },
  { name: 'v2', served: true, storage: true },
];
const v2Served = [
  { name: 'v1', served: false, storage: false },
  { name: 'v2', served: true, storage: true },
];

const migrators: ControllerSet = {
  name: 'test',
  settings: [skipCrdMigrationPhases],
  controllers: [crdMigrator({ name: 'crdmigrator', kinds: [{ plural: 'boats', group }] })],
};

let plane: TestPlane;
let client: Client;

async function start(skipPhases: readonly MigrationPhase[] = []): Promise<void> {
  plane = await startTestPlane({
    sets: [migrators],
    choices: { settings: new Map([['skip-crd-migration-phases', skipPhases.join(',')]]) },
    kinds: () => ({ name: 'none', kinds: [], converters: new Map(), rules: [] }),
  });
  client = plane.client;
  await client.create(customResourceDefinitions, definition(v1Alone));
  await plane.until(customResourceDefinitions, key, isEstablished);
}

const isEstablished = (crd: Frozen<CustomResourceDefinition>): boolean =>
  crd.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true;
const isObserved = (crd: Frozen<CustomResourceDefinition>): boolean =>
  crd.metadata.annotations?.[annotation] === String(crd.metadata.generation);

async function changeVersions(versions: readonly Version[]): Promise<Frozen<CustomResourceDefinition>> {
  const patch = { spec: { versions: versionsOf(versions) } } as unknown as JsonObject;
  await client.patch(customResourceDefinitions, key, { type: 'merge', patch });
  return plane.until(customResourceDefinitions, key, isObserved);
}

async function createBoat(boat: string): Promise<Frozen<KubeObject>> {
  const object = {
    apiVersion: `${group}/v1`,
    kind: 'Boat',
    metadata: { name: boat, namespace: 'default' },
    spec: { a: 'x' },
  };
  return client.create(boats('v1'), object, { fieldManager: 'old' });
}

describe('CRD migration', () => {
  afterEach(() => plane.stop());

  describe('in both phases', () => {
    beforeEach(() => start());

    it('rewrites every object in the storage version, and drops other stored versions', async () => {
      await plane.until(customResourceDefinitions, key, isObserved);
      await createBoat('a');
      await createBoat('b');
      const migrated = await changeVersions(v2Stored);
      expect(migrated.status?.storedVersions).toEqual(['v2']);
      const stored = [...plane.store.list({ resource: `${group}/boats` })].map(({ object }) => object['apiVersion']);
      expect(stored).toEqual([`${group}/v2`, `${group}/v2`]);
      // No stored object uses the old version: the server accepts its removal, and still reads all objects.
      const patch = { spec: { versions: versionsOf(v2Stored.slice(1)) } } as unknown as JsonObject;
      await client.patch(customResourceDefinitions, key, { type: 'merge', patch });
      await plane.settle();
      const { items } = await client.list(boats('v2'), { namespace: 'default' });
      expect(items.map(({ apiVersion, metadata }) => [apiVersion, metadata.name])).toEqual([
        [`${group}/v2`, 'a'],
        [`${group}/v2`, 'b'],
      ]);
    });

    it('removes managedFields entries in versions that are no longer served', async () => {
      await createBoat('a');
      await changeVersions(v2Stored);
      await changeVersions(v2Served);
      const boat = await client.get(boats('v2'), { namespace: 'default', name: 'a' });
      expect(boat.metadata.managedFields?.map(({ apiVersion }) => apiVersion)).toEqual([`${group}/v2`]);
    });

    it('runs once for each generation', async () => {
      const observed = await plane.until(customResourceDefinitions, key, isObserved);
      await plane.restartControllers();
      await plane.settle();
      const later = await client.get(customResourceDefinitions, key);
      expect(later.metadata.resourceVersion).toBe(observed.metadata.resourceVersion);
    });
  });

  it('skips the configured phases', async () => {
    await start(['StorageVersionMigration']);
    await createBoat('a');
    const observed = await changeVersions(v2Stored);
    expect(observed.status?.storedVersions).toEqual(['v1', 'v2']);
  });
});
