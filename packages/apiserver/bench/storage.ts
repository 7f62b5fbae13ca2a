import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeObject } from '@slipway/kube';
import { openStore } from '../src/storage/index.js';
import type { Store } from '../src/contract/index.js';

/**
 * Benchmarks the storage layer: `npx tsx packages/apiserver/bench/storage.ts`. Measures durable writes at several
 * levels of concurrency, then opening, listing and memory with 20,000 objects of 2 KB.
 */
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
const objectCount = 20_000;
let serial = 0;

function machine(name: string): KubeObject {
  const conditions = ['Ready', 'InfrastructureReady', 'BootstrapReady', 'NodeHealthy', 'Available'].map((type) => ({
    type,
    status: 'True',
    reason: `${type}Reason`,
    message: `condition ${type} of ${name} holds since the last measurement`,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }));
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      name,
      namespace: 'default',
      uid: `00000000-0000-4000-8000-${String(serial).padStart(12, '0')}`,
      labels: { 'cluster.x-k8s.io/cluster-name': 'bench', 'topology.cluster.x-k8s.io/owned': '' },
      finalizers: ['machine.cluster.x-k8s.io'],
    },
    spec: {
      clusterName: 'bench',
      version: 'v1.36.0',
      bootstrap: { dataSecretName: `${name}-data` },
      note: 'x'.repeat(700),
    },
    status: { phase: 'Running', nodeRef: { name }, conditions },
  };
}

function nextKey(): { resource: string; namespace: string; name: string } {
  serial += 1;
  return {
    resource: 'cluster.x-k8s.io/machines',
    namespace: 'default',
    name: `machine-${(serial * 7_919) % 1_000_003}`,
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function createAt(store: Store, concurrency: number): Promise<void> {
  const latencies: number[] = [];
  const end = performance.now() + seconds * 1_000;
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < end) {
        const key = nextKey();
        const began = performance.now();
        await store.commit({ key, expected: 0, object: machine(key.name) });
        latencies.push(performance.now() - began);
      }
    }),
  );
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  latencies.sort((left, right) => left - right);
  const at = (share: number): string => (latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(2);
  print(
    `create x${concurrency}: ${Math.round((latencies.length / elapsed) * 1_000)}/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ` +
      `cpu ${((user + system) / 1_000 / latencies.length).toFixed(3)} ms each`,
  );
}

async function fill(store: Store): Promise<void> {
  while (store.count('cluster.x-k8s.io/machines') < objectCount) {
    const keys = Array.from({ length: 500 }, nextKey);
    await Promise.all(keys.map((key) => store.commit({ key, expected: 0, object: machine(key.name) })));
  }
}

async function memory(label: string): Promise<void> {
  // Buffers are freed in the background after a collection. Without --expose-gc the numbers include garbage.
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const mib = (bytes: number): string => (bytes / 1_048_576).toFixed(0);
  // File pages are the mapped database: the kernel reclaims them when it needs memory.
  const mapped = /RssFile:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  print(
    `memory ${label}: rss ${mib(rss)} MiB (of it file pages ${mib(Number(mapped) * 1_024)} MiB), ` +
      `heap ${mib(heapUsed)} MiB, external ${mib(external)} MiB`,
  );
}

async function main(): Promise<void> {
  const mode = process.argv[2] ?? 'all';
  const directory = process.argv[3] ?? (await mkdtemp(join(tmpdir(), 'storage-bench-')));
  if (mode === 'read') {
    await memory('before opening');
    const began = performance.now();
    const store = await openStore({ directory });
    print(`open: ${(performance.now() - began).toFixed(0)} ms`);
    await memory(`after opening ${store.count('cluster.x-k8s.io/machines')} objects`);
    const listed = performance.now();
    const size = store
      .list({ resource: 'cluster.x-k8s.io/machines' })
      .reduce((sum, { object }) => sum + Object.keys(object).length, 0);
    print(`list and parse all: ${(performance.now() - listed).toFixed(0)} ms (${size})`);
    await memory('after parsing all');
    const encoded = performance.now();
    const bytes = store
      .list({ resource: 'cluster.x-k8s.io/machines' })
      .reduce((sum, version) => sum + version.bytes.length, 0);
    print(`bytes of all: ${(performance.now() - encoded).toFixed(0)} ms (${bytes})`);
    await memory('after reading all bytes');
    await store.close();
    return;
  }
  const store = await openStore({ directory });
  for (const concurrency of [1, 16, 64, 256]) await createAt(store, concurrency);
  await fill(store);
  await memory('after writing');
  print(`objects: ${store.count('cluster.x-k8s.io/machines')}, in ${directory}`);
  await store.close();
  if (mode === 'all') await rm(directory, { recursive: true });
}

await main();
