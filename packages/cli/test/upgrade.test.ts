import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { openStore } from '@slipway/apiserver';
import { open } from 'lmdb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { slipwayVersion } from '../src/version.js';
import { killPlanes, type Outcome, slipway, startPlane } from './support/command.js';
import { configMapNames, createConfigMap, kubeRequest } from './support/kube-request.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-upgrade-'));
});
afterEach(async () => {
  await killPlanes();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
const dataFile = (): Buffer => readFileSync(at('data/store/data.mdb'));
const backups = (): string[] => readdirSync(at('data/backups')).toSorted();
const down = (name = 'data'): Promise<Outcome> => slipway('down', '--data-dir', at(name));

function fixture(name: string): Buffer {
  return brotliDecompressSync(readFileSync(new URL(`fixtures/earlier-version/${name}.br`, import.meta.url)));
}

/** Creates the data directory of a version without recorded version and with storage format 1. */
function useEarlierData(): void {
  mkdirSync(at('data/store'), { recursive: true });
  writeFileSync(at('data/store/data.mdb'), fixture('data.mdb'));
}

/** Changes the recorded version of the data. */
async function pretendWriter(writer: string): Promise<void> {
  await (await openStore({ directory: at('data/store'), writer })).close();
}

async function pretendFormat(format: number): Promise<void> {
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
  const root = open<Buffer, Buffer>(at('data/store'), binary);
  await root.openDB<Buffer, Buffer>({ name: 'meta', ...binary }).put(Buffer.from('format'), Buffer.from(`${format}`));
  await root.close();
}

/** Runs the command between backquotes in a remedy. */
async function followRemedy(stderr: string): Promise<void> {
  const [, aside = '', backup = ''] = /`mv \S+ (\S+) && slipway restore (\S+) --data-dir \S+`/.exec(stderr) ?? [];
  renameSync(at('data'), aside);
  expect(await slipway('restore', backup, '--data-dir', at('data'))).toMatchObject({ code: 0, stderr: '' });
}

const definition =
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/hostclusters.infrastructure.cluster.x-k8s.io';

interface Definition {
  readonly spec: {
    readonly versions: {
      name: string;
      storage: boolean;
      readonly schema: { readonly openAPIV3Schema: { readonly properties: { readonly spec: SpecSchema } } };
    }[];
  };
}

interface SpecSchema {
  readonly properties: Record<string, object>;
}

/** Changes the CRD of HostClusters on a running plane, as a newer version would. */
async function changeDefinition(kubeconfig: string, change: (definition: Definition) => void): Promise<void> {
  const { body } = await kubeRequest(kubeconfig, 'GET', definition);
  change(body as unknown as Definition);
  expect(await kubeRequest(kubeconfig, 'PUT', definition, body)).toMatchObject({ status: 200 });
}

describe('data of an earlier version', () => {
  it('is backed up and upgraded at the first start, with all objects', async () => {
    useEarlierData();
    const plane = await startPlane(at('data'));
    expect(await configMapNames(plane.kubeconfig)).toEqual(['kept']);
    const clusters = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters/demo';
    expect(await kubeRequest(plane.kubeconfig, 'GET', clusters)).toMatchObject({
      status: 200,
      body: { metadata: { name: 'demo' } },
    });
    const { body } = await kubeRequest(plane.kubeconfig, 'GET', '/api/v1/namespaces/default/secrets/hidden');
    expect(body).toMatchObject({ data: { password: Buffer.from('s3cret').toString('base64') } });
    expect(plane.log.find((line) => line.includes('Data of another version backed up'))).toContain('"format":1');
    await down();
    expect(backups()).toEqual([expect.stringMatching(`^\\d{8}T\\d{6}Z-before-${slipwayVersion}\\.backup$`)]);
    expect(await slipway('doctor', '--storage', '--data-dir', at('data'))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Storage format 2, written by slipway ${slipwayVersion}\n`) as string,
    });
    await startPlane(at('data'));
    expect(backups()).toHaveLength(1);
  });

  it('can be restored from the backup that was taken before the upgrade', async () => {
    useEarlierData();
    await createConfigMap((await startPlane(at('data'), '--api-only')).kubeconfig, 'later');
    await down();
    const [backup = ''] = backups();
    await slipway('restore', at(`data/backups/${backup}`), '--data-dir', at('restored'));
    expect(await configMapNames((await startPlane(at('restored'), '--api-only')).kubeconfig)).toEqual(['kept']);
  });

  it('can be restored from a backup that the earlier version wrote', async () => {
    writeFileSync(at('plane.backup'), fixture('plane.backup'));
    await slipway('restore', at('plane.backup'), '--data-dir', at('restored'));
    expect(await configMapNames((await startPlane(at('restored'), '--api-only')).kubeconfig)).toEqual(['kept']);
  });

  it('stays unchanged if the backup cannot be written', async () => {
    useEarlierData();
    writeFileSync(at('data/backups'), 'not a directory');
    const before = dataFile();
    const { code, stderr } = await slipway('up', '--port', '0', '--data-dir', at('data'));
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(at('data/backups')) as string });
    expect(dataFile().equals(before)).toBe(true);
  });
});

describe('a backup', () => {
  it('has the archive format that the earlier version reads', async () => {
    await startPlane(at('data'), '--api-only');
    await down();
    await slipway('backup', at('plane.backup'), '--data-dir', at('data'));
    const [archive, earlier] = [readFileSync(at('plane.backup')), fixture('plane.backup')].map(partsOf);
    expect(archive).toEqual(earlier);
  });

  /** Returns what an earlier version checks before it restores a backup. */
  function partsOf(archive: Buffer): object {
    const text = archive.toString('latin1');
    const manifest = JSON.parse(text.slice(512, text.indexOf('\0', 512))) as { format: number; digests: object };
    const first = text.slice(0, text.indexOf('\0'));
    return {
      first,
      format: manifest.format,
      files: Object.keys(manifest.digests).toSorted(),
      magic: /slipway-backup-\d+\n/.exec(text)?.[0],
    };
  }
});

describe('data of a newer version', () => {
  const start = (): Promise<Outcome> => slipway('up', '--port', '0', '--data-dir', at('data'));

  it('is refused in a newer format, with the command that restores the backup', async () => {
    useEarlierData();
    await createConfigMap((await startPlane(at('data'), '--api-only')).kubeconfig, 'later');
    await down();
    await pretendWriter('9.0.0');
    await pretendFormat(3);
    const before = dataFile();
    const { code, stderr } = await start();
    expect(code).toBe(1);
    expect(stderr).toContain(
      `slipway: the data in ${at('data')} was written by slipway 9.0.0: it has storage format 3, and slipway ${slipwayVersion} ` +
        'reads formats up to 2\n  → install slipway 9.0.0 again, or restore the backup of ',
    );
    expect(dataFile().equals(before)).toBe(true);
    expect((await slipway('backup', at('now.backup'), '--data-dir', at('data'))).stderr).toContain('slipway 9.0.0');
    await followRemedy(stderr);
    expect(await configMapNames((await startPlane(at('data'), '--api-only')).kubeconfig)).toEqual(['kept']);
  });

  it('is refused if objects are stored in an API version that this version does not know', async () => {
    const plane = await startPlane(at('data'));
    await changeDefinition(plane.kubeconfig, ({ spec }) => {
      const [current] = spec.versions;
      if (current === undefined) throw new Error('the CRD has no version');
      spec.versions.push({ ...current, name: 'v9' });
      current.storage = false;
    });
    await down();
    await pretendWriter('9.0.0');
    const before = dataFile();
    for (const _attempt of [1, 2]) {
      const { code, stderr } = await start();
      expect(code).toBe(1);
      expect(stderr).toContain('objects of hostclusters.infrastructure.cluster.x-k8s.io are stored in version v9');
    }
    expect(dataFile().equals(before)).toBe(true);
  });

  it('is refused if objects have fields that this version would remove', async () => {
    const plane = await startPlane(at('data'));
    await changeDefinition(plane.kubeconfig, ({ spec }) => {
      for (const { schema } of spec.versions) {
        const { properties } = schema.openAPIV3Schema.properties.spec;
        properties['futureField'] = { type: 'string' };
        properties['futureMode'] = { type: 'string', default: 'Automatic' };
      }
    });
    const { body } = await kubeRequest(plane.kubeconfig, 'GET', definition);
    const version = (body as unknown as Definition).spec.versions.find(({ storage }) => storage)?.name ?? '';
    const create = (name: string, spec: object): Promise<{ readonly status: number }> =>
      kubeRequest(
        plane.kubeconfig,
        'POST',
        `/apis/infrastructure.cluster.x-k8s.io/${version}/namespaces/default/hostclusters`,
        { apiVersion: `infrastructure.cluster.x-k8s.io/${version}`, kind: 'HostCluster', metadata: { name }, spec },
      );
    expect(await create('plain', {})).toMatchObject({ status: 201 });
    expect(await create('future', { futureField: 'kept' })).toMatchObject({ status: 201 });
    await down();
    await pretendWriter('9.0.0');
    const { code, stderr } = await start();
    expect(code).toBe(1);
    expect(stderr).toContain('HostCluster default/future has spec.futureField');
    expect(stderr).not.toContain('default/plain');
  });

  it('is backed up and used if this version knows all of it', async () => {
    await createConfigMap((await startPlane(at('data'))).kubeconfig, 'kept');
    await down();
    await pretendWriter('9.0.0');
    const plane = await startPlane(at('data'));
    expect(await configMapNames(plane.kubeconfig)).toEqual(['kept']);
    expect(backups()).toHaveLength(1);
  });
});

it('keeps the three newest backups of upgrades, and other files', async () => {
  useEarlierData();
  mkdirSync(at('data/backups'));
  const names = [1, 2, 3].map((day) => `2020010${day}T000000Z-before-0.0.${day}.backup`);
  for (const name of [...names, 'mine.backup', '20200104T000000Z-before-0.0.4.backup.77.partial'])
    writeFileSync(at(`data/backups/${name}`), '');
  await startPlane(at('data'), '--api-only');
  expect(backups()).toEqual([...names.slice(1), expect.stringContaining(`-before-${slipwayVersion}`), 'mine.backup']);
});
