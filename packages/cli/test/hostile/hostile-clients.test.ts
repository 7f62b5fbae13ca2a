import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleScript } from '@slipway/testing/process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { killPlanes, type Plane, startPlane } from '../support/command.js';
import { bodyAttacks } from './body-attacks.js';
import { connectionAttacks } from './connection-attacks.js';
import { credentialsOf, memoryOf, percentile, Probe } from './probe.js';
import type { Target } from './target.js';
import { tenantObjects } from './tenant.js';

const limits = { writeMs: 250, readyMs: 100, memoryFactor: 2 };
// The latency of a busy host says nothing about the server: `npm run test:hostile` on an idle host also asserts the latencies.
const assertsLatency = process.env['HOSTILE_LATENCY'] !== undefined;
// HOSTILE_SECONDS=60 runs each attack for longer.
const attackMs = Number(process.env['HOSTILE_SECONDS'] ?? 4) * 1_000;
const intervalMs = 20;
const warmUpMs = 500;

const namespace = 'tenant';
let directory = '';
let bundle = '';
let plane: Plane;
let target: Target;
let idleMemory = 0;
let attacker: ChildProcess | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-hostile-'));
  bundle = join(directory, 'hostile-client.mjs');
  await bundleScript(join(import.meta.dirname, 'hostile-client.ts'), bundle);
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

// Each attack gets its own management plane: memory that an attack used may stay with the process.
beforeEach(async () => {
  plane = await startPlane(await mkdtemp(join(directory, 'plane-')));
  const { endpoint, ca } = credentialsOf(plane.kubeconfig);
  target = { endpoint, ca, namespace, token: await createTenant() };
  await probe(warmUpMs);
  idleMemory = memoryOf(plane.pid);
});

afterEach(async () => {
  const exited = attacker?.exitCode === null ? once(attacker, 'exit') : undefined;
  attacker?.kill('SIGKILL');
  await exited;
  await killPlanes();
});

/** Creates the namespace, the CRD and the ServiceAccount of the tenant, and returns its token. */
async function createTenant(): Promise<string> {
  const admin = Probe.open(plane.kubeconfig);
  for (const { path, object } of tenantObjects(namespace)) {
    const { status, text } = await admin.send('POST', path, object);
    expect(status, `${path}: ${text}`).toBe(201);
  }
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/hostile/token`;
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { text } = await admin.send('POST', path, request);
  admin.close();
  return (JSON.parse(text) as { status: { token: string } }).status.token;
}

async function probe(durationMs: number): Promise<Probe> {
  const admin = Probe.open(plane.kubeconfig);
  await admin.measure(durationMs, intervalMs);
  admin.close();
  return admin;
}

function startAttack(name: string): void {
  attacker = spawn(process.execPath, [bundle, name, JSON.stringify(target)], { stdio: ['pipe', 'inherit', 'inherit'] });
}

/** Measures the server during an attack. */
async function measureDuring(name: string): Promise<Record<string, unknown>> {
  startAttack(name);
  let memory = 0;
  const sampling = setInterval(() => (memory = Math.max(memory, memoryOf(plane.pid))), 50);
  await new Promise((resolve) => setTimeout(resolve, warmUpMs));
  const { writes, readiness } = await probe(attackMs);
  clearInterval(sampling);
  expect(attacker?.exitCode, 'the hostile client still runs').toBeNull();
  return {
    refused: writes.filter(({ status }) => status !== 201).length,
    notReady: readiness.filter(({ status }) => status !== 200).length,
    writeMs: percentile(writes, 0.99),
    readyMs: percentile(readiness, 0.99),
    memory,
  };
}

describe('an unprivileged client does not delay or refuse the writes of administrators with', () => {
  it.each(Object.keys({ ...bodyAttacks, ...connectionAttacks }))('%s', async (name) => {
    const seen = await measureDuring(name);
    const report = `${name}: ${JSON.stringify({ ...seen, idleMemory })}`;
    if (assertsLatency) process.stderr.write(`${report}\n`);
    expect({ refused: seen['refused'], notReady: seen['notReady'] }, `during ${report}`).toEqual({
      refused: 0,
      notReady: 0,
    });
    if (!assertsLatency) return;
    expect(seen['memory'], `during ${report}`).toBeLessThanOrEqual(limits.memoryFactor * idleMemory);
    expect(seen['writeMs'], `during ${report}`).toBeLessThanOrEqual(limits.writeMs);
    expect(seen['readyMs'], `during ${report}`).toBeLessThanOrEqual(limits.readyMs);
  });
});
