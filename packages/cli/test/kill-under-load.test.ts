import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Random, seededRandom, systemClock, systemRandom } from '@slipway/base';
import { type ConfigMap, configMaps, createHttpClient, findConnection, type HttpClient } from '@slipway/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killPlanes, type Plane, startPlane } from './support/command.js';
import { damageStore } from './support/damage.js';

// KILL_ROUNDS=1000 npm run test:kill runs more rounds; KILL_SEED repeats the random choices of a run.
const rounds = Number(process.env['KILL_ROUNDS'] ?? 6);
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000);
const writers = 16;
const keysPerWriter = 8;
const namespace = 'default';
const canLimitFileSize = spawnSync('prlimit', ['--version']).status === 0;

let directory = '';

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-kill-'));
});

afterEach(async () => {
  await killPlanes();
  await rm(directory, { recursive: true, force: true });
});

/** Allowed values of a key: the acknowledged value, or the requested one if the process was killed before the response. */
interface Expected {
  acknowledged: string | undefined;
  attempted: string | undefined;
  uncertain: boolean;
}

class Load {
  readonly keys = new Map<string, Expected>();
  acknowledgements = 0;
  /** Writes that the server failed with an error, because its disk was full. */
  failures = 0;
  revision = 0;
  #count = 0;

  constructor(
    private readonly random: Random,
    private readonly onResponse: () => void,
  ) {}

  /** Writes values until the connection breaks. */
  async write(client: HttpClient, writer: number): Promise<void> {
    for (;;) {
      const name = `k-${writer}-${Math.floor(this.random.next() * keysPerWriter)}`;
      const expected = this.keys.get(name) ?? { acknowledged: undefined, attempted: undefined, uncertain: false };
      this.keys.set(name, expected);
      const remove = expected.acknowledged !== undefined && this.random.next() < 0.25;
      this.#count += 1;
      expected.attempted = remove ? undefined : String(this.#count);
      expected.uncertain = true;
      try {
        this.#recordRevision(await send(client, name, expected));
        expected.acknowledged = expected.attempted;
        this.acknowledgements += 1;
      } catch (error) {
        if (error instanceof Error && 'failure' in error) return;
        if (!(error instanceof Error && error.message.includes('was not applied'))) throw error;
        this.failures += 1;
      }
      expected.uncertain = false;
      this.onResponse();
    }
  }

  #recordRevision(resourceVersion: string | undefined): void {
    this.revision = Math.max(this.revision, Number(resourceVersion ?? 0));
  }
}

async function send(client: HttpClient, name: string, expected: Expected): Promise<string | undefined> {
  if (expected.attempted === undefined) {
    await client.delete(configMaps, { namespace, name });
    return undefined;
  }
  const object: ConfigMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
    data: { n: expected.attempted },
  };
  const written =
    expected.acknowledged === undefined
      ? await client.create(configMaps, object)
      : await client.patch(
          configMaps,
          { namespace, name },
          { type: 'merge', patch: { data: { n: expected.attempted } } },
        );
  return written.metadata.resourceVersion;
}

function connect(plane: Plane): HttpClient {
  const config = findConnection({ file: plane.kubeconfig, env: {} });
  return createHttpClient(config, { clock: systemClock, random: systemRandom, userAgent: 'kill-test' });
}

/** Records the value found for every key, and returns the unexpected ones. */
async function compare(client: HttpClient, load: Load): Promise<string[]> {
  const { items, resourceVersion } = await client.list(configMaps, { namespace });
  const found = new Map(items.map((item) => [item.metadata.name ?? '', item.data?.['n']]));
  const wrong: string[] = [];
  if (Number(resourceVersion) < load.revision) wrong.push(`revision ${resourceVersion} is behind ${load.revision}`);
  for (const [name, expected] of load.keys) {
    const actual = found.get(name);
    const allowed = expected.uncertain ? [expected.acknowledged, expected.attempted] : [expected.acknowledged];
    if (!allowed.includes(actual)) wrong.push(`${name}: found ${actual}, acknowledged ${allowed.join(' or ')}`);
    Object.assign(expected, { acknowledged: actual, attempted: undefined, uncertain: false });
  }
  return wrong;
}

function start(): Promise<Plane> {
  return startPlane(directory, '--api-only', '--controllers=none');
}

/** Limits the file size of the server to slightly more than its data file has, so that its writes soon fail. */
function fillDisk(plane: Plane): void {
  const { size } = statSync(join(directory, 'store', 'data.mdb'));
  execFileSync('prlimit', ['--pid', String(plane.pid), `--fsize=${size + 65_536}:unlimited`]);
}

/**
 * Damages the data file, and checks that the server either refuses to start with a message and exit code 1, or starts without a
 * loss because the damage is in unused pages. Puts the intact file back.
 */
async function startDamaged(load: Load, random: Random): Promise<void> {
  const store = join(directory, 'store');
  const [file, copy] = [join(store, 'data.mdb'), join(directory, 'intact.mdb')];
  copyFileSync(file, copy);
  const damage = damageStore(store, random);
  const outcome = await start().then(
    async (plane) => {
      const reader = connect(plane);
      const wrong = await compare(reader, load);
      reader.close();
      plane.child.kill('SIGKILL');
      await plane.exited;
      return wrong.join() || 'complete';
    },
    (error: unknown) => String(error),
  );
  expect(`${damage}: ${outcome}`).toMatch(/: complete$|: Error: slipway up ended with 1:[^]*data\.mdb is damaged/);
  copyFileSync(copy, file);
}

describe('kill -9 under load', () => {
  it(`loses no acknowledged write and needs no repair, ${rounds} times (seed ${seed})`, {
    timeout: 60_000 + rounds * 20_000,
  }, async () => {
    const random = seededRandom(seed);
    let deadline = { acknowledgements: 0, failures: 0 };
    let plane = await start();
    const load = new Load(random, () => {
      if (load.acknowledgements >= deadline.acknowledgements || load.failures >= deadline.failures)
        plane.child.kill('SIGKILL');
    });
    const counts = { 'full disk': 0, 'damaged file': 0 };
    for (let round = 0; round < rounds; round += 1) {
      const isFull = canLimitFileSize && random.next() < 0.2;
      const acknowledgements = load.acknowledgements + (isFull ? 1_000_000 : 20 + Math.floor(random.next() * 300));
      deadline = { acknowledgements, failures: load.failures + 1 + Math.floor(random.next() * 50) };
      if (isFull) fillDisk(plane);
      const client = connect(plane);
      await Promise.all(Array.from({ length: writers }, (_, writer) => load.write(client, writer)));
      client.close();
      expect(await plane.exited).toBe('SIGKILL');
      const isDamaged = random.next() < 0.2;
      if (isDamaged) await startDamaged(load, random);
      counts['full disk'] += Number(isFull);
      counts['damaged file'] += Number(isDamaged);
      plane = await start();
      const reader = connect(plane);
      expect(await compare(reader, load), `KILL_SEED=${seed}`).toEqual([]);
      reader.close();
    }
    expect(load.acknowledgements).toBeGreaterThan(rounds * 10);
    if (process.env['KILL_ROUNDS'] !== undefined)
      process.stderr.write(`${rounds} kills, ${load.acknowledgements} writes: ${JSON.stringify(counts)}\n`);
  });
});
