// Creates and deletes clusters on a real process. In the first half the process is killed with kill -9; in the second half its
// memory and descriptors must be stable.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Scope, systemClock, systemRandom } from '@slipway/base';
import { clusters, machines } from '@slipway/cluster-api';
import {
  connectionOf,
  createHttpClient,
  type HttpClient,
  InformerFactory,
  loadKubeconfig,
  type Resource,
} from '@slipway/runtime';
import { type Plane, startPlane } from '../../packages/cli/test/support/command.js';
import { launchFleet } from '../clusters/fleet.js';
import { grown, type Sample, sampleOf } from './sample.js';

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    kills: { type: 'string', default: '10' },
    clusters: { type: 'string', default: '5' },
    watchers: { type: 'string', default: '20' },
  },
});
const totalMs = Number(flags.minutes) * 60_000;
const kills = Number(flags.kills);
const sampleMs = Math.max(1_000, totalMs / 200);
const fleetLimitMs = 600_000;
const namespace = 'default';

const folder = mkdtempSync(`${tmpdir()}/soak-`);
const startedAt = performance.now();
const elapsedMs = (): number => performance.now() - startedAt;
let plane: Plane = await startPlane(folder);
const port = new URL(plane.endpoint).port;
let rounds = 0;
let samples: Sample[] = [];

function connect(): HttpClient {
  return createHttpClient(connectionOf(loadKubeconfig({ file: plane.kubeconfig, env: {} })));
}

/** Creates and deletes clusters until the duration is over. Clients retry while the server is down. */
async function churn(): Promise<void> {
  for (let first = 0; elapsedMs() < totalMs; first += Number(flags.clusters)) {
    const client = connect();
    try {
      await launchFleet(client, first, Number(flags.clusters), fleetLimitMs);
      await deleteAll(client);
      rounds += 1;
    } catch (error) {
      console.log(`round interrupted: ${error instanceof Error ? error.message : String(error)}`);
      await pause(1_000);
    } finally {
      client.close();
    }
  }
}

async function deleteAll(client: HttpClient): Promise<void> {
  await client.deleteAll(clusters, { namespace });
  const informers = new InformerFactory({ client, clock: systemClock, random: systemRandom });
  try {
    const signal = AbortSignal.timeout(fleetLimitMs);
    await informers.informer(clusters).waitFor((view) => view.list().length === 0, { signal });
  } finally {
    await informers.dispose();
  }
}

/** Opens watches that stay open all the time and reconnect after every kill. */
function holdWatches(scope: Scope): void {
  for (let index = 0; index < Number(flags.watchers); index += 1) {
    const client = connect();
    const informers = new InformerFactory({ client, clock: systemClock, random: systemRandom });
    informers.informer((index % 2 === 0 ? clusters : machines) as Resource);
    scope.defer(async () => {
      await informers.dispose();
      client.close();
    });
  }
}

async function killNow(): Promise<void> {
  plane.child.kill('SIGKILL');
  await plane.exited;
  plane = await startPlane(folder, '--port', port);
  samples = [];
  console.log(`killed and restarted after ${(elapsedMs() / 60_000).toFixed(1)} minutes`);
}

async function sampleUsage(): Promise<void> {
  const killTimes = Array.from({ length: kills }, (_, index) => ((index + 1) / kills) * (totalMs / 2));
  while (elapsedMs() < totalMs) {
    await pause(sampleMs);
    if (killTimes[0] !== undefined && elapsedMs() > killTimes[0]) {
      killTimes.shift();
      await killNow();
    }
    samples.push(sampleOf(plane.pid));
  }
}

const scope = new Scope();
holdWatches(scope);
try {
  await Promise.all([churn(), sampleUsage()]);
} finally {
  await scope.dispose();
  plane.child.kill('SIGTERM');
  await plane.exited;
  rmSync(folder, { recursive: true, force: true });
}
const problems = grown(samples);
const last = samples.at(-1);
console.log(`${rounds} rounds of ${flags.clusters} clusters, ${kills} kills, ${flags.watchers} watches held`);
console.log(`at the end ${last?.megabytes.toFixed(0)} MB, ${last?.descriptors} descriptors`);
for (const problem of problems) console.log(`NOT FLAT: ${problem}`);
if (problems.length > 0 || rounds === 0) process.exitCode = 1;
