import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '@slipway/base';
import { describe, expect, it } from 'vitest';
import { makePlan, type UserAction } from '../src/plan/plan.js';
import { simulate, type SimulationResult } from '../src/run/simulate.js';

/** Large enough for every kind of fault in both shapes, and small enough for a test. `npm run sim` uses 20 clusters. */
const size = { clusters: 2, minutes: 20 } as const;

async function run(seed: number): Promise<SimulationResult> {
  return simulate(makePlan({ seed, ...size }));
}

/** Returns the violation and how to reproduce it, or 'ok'. */
function outcomeOf({ violation, plan: { seed } }: SimulationResult): string {
  if (violation === undefined) return 'ok';
  const replay = `npm run sim -- --seed ${seed} --clusters ${size.clusters} --minutes ${size.minutes}`;
  return `${violation.message}\n${replay}`;
}

describe('simulation of the complete product in virtual time', () => {
  it('has the same result for the same seed', { timeout: 300_000 }, async () => {
    const [first, second] = [await run(1), await run(1)];
    expect(second.transcript.digest()).toBe(first.transcript.digest());
    expect(second.transcript.count).toBeGreaterThan(500);
  });

  // These seeds cover both shapes, and include seeds that have found bugs: see docs/internals/simulation.md.
  it.each([2, 5, 13, 1_354_279_773])('violates no invariant with seed %i', { timeout: 300_000 }, async (seed) => {
    expect(outcomeOf(await run(seed))).toBe('ok');
  });

  it('waits for a user who unpauses a cluster after all other actions', { timeout: 300_000 }, async () => {
    const minuteMs = 60_000;
    const act = (kind: 'create' | 'pause' | 'resume', minutes: number): UserAction => ({
      kind,
      atMs: minutes * minuteMs,
      cluster: 0,
      amount: 0,
    });
    const actions = [act('create', 0), act('pause', 4), act('resume', 9)];
    const { violation } = await simulate({ ...makePlan({ seed: 1, clusters: 1, minutes: 5 }), actions, faults: [] });
    expect(violation?.message ?? 'ok').toBe('ok');
  });

  const variants = [
    { scenario: 'classes', what: 'clusters with managed topologies' },
    { scenario: 'move', what: 'clusters that move between two planes' },
    { scenario: 'vsphere', what: 'machines of a Supervisor' },
    { scenario: 'kvm', what: 'QEMU virtual machines', seed: 5, clusters: 2, minutes: 15 },
    { scenario: 'shards', what: 'managers that divide the clusters' },
  ] as const;
  it.each(variants)('violates no invariant with $what', { timeout: 300_000 }, async ({ what: _what, ...options }) => {
    const { violation } = await simulate(makePlan({ seed: 1, clusters: 1, minutes: 12, ...options }));
    expect(violation?.message ?? 'ok').toBe('ok');
  });

  // Fresh seeds, which differ for every version of the sources. The title of a failed test contains the seed, and its message the
  // command to reproduce it.
  it.each(freshSeeds())('violates no invariant with fresh seed %i', { timeout: 300_000 }, async (seed) => {
    expect(outcomeOf(await run(seed))).toBe('ok');
  });
});

/**
 * Returns fresh seeds. `SIMULATION_FRESH_SEEDS` sets their number, which is small because they delay every test run. The seeds
 * are derived from the sources: changed code runs other seeds, and the same code has the same result everywhere.
 */
function freshSeeds(): readonly number[] {
  const count = Number(process.env['SIMULATION_FRESH_SEEDS'] ?? 2);
  const random = seededRandom(digestOfSources());
  return Array.from({ length: count }, () => 1 + Math.floor(random.next() * (2 ** 31 - 1)));
}

function digestOfSources(): number {
  const packages = join(import.meta.dirname, '../..');
  const hash = createHash('sha256');
  for (const name of readdirSync(packages).sort())
    for (const file of readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' }).sort())
      if (file.endsWith('.ts')) hash.update(file).update(readFileSync(join(packages, name, 'src', file)));
  return hash.digest().readUInt32BE();
}
