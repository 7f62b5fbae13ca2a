import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemClock, systemRandom } from '@slipway/base';
import { clusters } from '@slipway/cluster-api';
import type { KubeObject } from '@slipway/kube';
import {
  type Client,
  type Conditioned,
  InformerFactory,
  isConditionFalse,
  isConditionTrue,
  type Resource,
} from '@slipway/runtime';
import { parseAllDocuments } from 'yaml';

const sample = fileURLToPath(new URL('../../docs/samples/quick-start.yaml', import.meta.url));
const namespace = 'default';
const creatingMax = 8;

/** Returns the objects of the quick start under another name. */
function manifestOf(name: string): KubeObject[] {
  const text = readFileSync(sample, 'utf8').replaceAll('quick-start', name);
  const objects = parseAllDocuments(text).map((document) => document.toJS() as KubeObject);
  // Upstream's in-memory provider panics on a DevCluster without annotations; kubectl always adds one.
  for (const { metadata } of objects) metadata.annotations = { fleet: 'true' };
  return objects;
}

/** Number of objects that a user creates for one cluster. */
export const objectsOfCluster = manifestOf('any').length;

/** Creates clusters of three machines and waits until all are Available. Returns the elapsed milliseconds. */
export async function launchFleet(client: Client, first: number, count: number, limitMs: number): Promise<number> {
  const resources = new Map<string, Resource>();
  const names = Array.from({ length: count }, (_, index) => `fleet-${first + index}`);
  for (const { apiVersion, kind } of manifestOf('any')) {
    const [group = '', version = ''] = apiVersion.split('/');
    const resource = await client.resourceFor({ group, kind, version });
    if (resource === undefined) throw new Error(`the server has no resource of kind ${kind}`);
    resources.set(kind, resource);
  }
  const informers = new InformerFactory({ client, clock: systemClock, random: systemRandom });
  try {
    const startedAt = performance.now();
    const waiting = [...names];
    const create = async (): Promise<void> => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
        for (const object of manifestOf(name)) await client.create(resources.get(object.kind) as Resource, object);
    };
    await Promise.all(Array.from({ length: creatingMax }, create));
    const missing = new Set(names);
    await informers.informer(clusters).waitFor(
      (view) => {
        for (const name of missing)
          if (isUp(view.get({ namespace, name }) as Conditioned | undefined)) missing.delete(name);
        return missing.size === 0;
      },
      { signal: AbortSignal.timeout(limitMs) },
    );
    return performance.now() - startedAt;
  } finally {
    await informers.dispose();
  }
}

function isUp(cluster: Conditioned | undefined): boolean {
  return cluster !== undefined && isConditionTrue(cluster, 'Available') && isConditionFalse(cluster, 'ScalingUp');
}
