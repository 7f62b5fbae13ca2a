import { setTimeout as pause } from 'node:timers/promises';
import type { Contender } from './contender.js';
import type { LoadGenerator } from './load/load-generator.js';
import { customResourceDefinition, group } from './workload.js';

const json = 'application/json';

/** Creates the namespaces and the custom resource that both servers have before the measurements. */
export async function prepare(load: LoadGenerator, contender: Contender): Promise<void> {
  for (const name of ['bench', 'bench-list']) {
    await post(load, contender, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  await post(load, contender, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', customResourceDefinition);
  // Retried, because kube-apiserver returns 404 for a short time after a CRD is established.
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const path = `/apis/${group}/v1/namespaces/bench/fleets`;
    const job = { connection: contender.connection, method: 'GET', path, concurrency: 1, count: 1 } as const;
    if ((await load.burst(job)).failures === 0) return;
    await pause(50);
  }
  throw new Error(`${contender.name} does not serve the custom resource`);
}

async function post(load: LoadGenerator, contender: Contender, path: string, body: object): Promise<void> {
  const { failures, firstFailure } = await load.burst({
    connection: contender.connection,
    method: 'POST',
    path,
    body: JSON.stringify(body),
    contentType: json,
    concurrency: 1,
    count: 1,
  });
  if (failures > 0) throw new Error(`${contender.name}: ${path}: ${firstFailure}`);
}
