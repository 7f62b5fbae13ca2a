import type { Clock } from '@slipway/base';
import { applyObjects, ManifestError, parseManifest, type Plan, planManifest } from '@slipway/insight';
import type { KubeObject } from '@slipway/kube';
import { parseApiVersion } from '@slipway/kube';
import type { Client } from '@slipway/runtime';
import { mayDo } from '../access/reviews.js';
import { Refusal } from '../http/message.js';

export interface Manifest {
  readonly text: string;
  /** For objects that name none. */
  readonly namespace: string;
}

const patienceMs = 60_000;
const source = 'the manifest';

/** Thinks manifests through, one at a time: the thinking takes a processor for itself. */
export class Planner {
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(private readonly clock: Clock) {}

  async plan(client: Client, manifest: Manifest, signal: AbortSignal): Promise<Plan> {
    const objects = read(manifest);
    if (this.#waiting >= waitingMax) throw new Refusal(429, 'others are planning already', 'try again in a moment');
    const before = this.#turn;
    const { namespace } = manifest;
    this.#waiting += 1;
    const planned = before.then(() => {
      signal.throwIfAborted();
      return planManifest(objects, { client, namespace, nowMs: this.clock.now(), patienceMs, signal });
    });
    this.#turn = planned.catch(() => undefined).finally(() => (this.#waiting -= 1));
    return told(planned);
  }
}

const waitingMax = 4;

/** Applies a manifest as the person who asks. All of it is checked first, so that no half of it is done. */
export async function applyManifest(client: Client, manifest: Manifest): Promise<readonly string[]> {
  const objects = read(manifest);
  for (const object of objects) await checkApply(client, object, manifest.namespace);
  const applied = await told(applyObjects(client, objects, { namespace: manifest.namespace }));
  return applied.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`);
}

async function checkApply(
  client: Client,
  { apiVersion, kind, metadata }: KubeObject,
  otherwise: string,
): Promise<void> {
  const resource = await client.resourceFor({ ...parseApiVersion(apiVersion), kind });
  if (resource === undefined)
    throw new Refusal(422, `the management cluster serves no ${kind} of ${apiVersion}`, 'install its provider first');
  const namespace = resource.namespaced ? (metadata.namespace ?? otherwise) : '';
  const { group, plural } = resource;
  const deed = { group, resource: plural, namespace, name: metadata.name ?? '' };
  for (const verb of ['create', 'patch']) {
    if (await mayDo(client, { verb, ...deed })) continue;
    throw new Refusal(403, `you may not ${verb} ${plural} in namespace ${namespace}`);
  }
}

function read({ text }: Manifest): KubeObject[] {
  try {
    const objects = parseManifest(text, source);
    if (objects.length === 0) throw new Refusal(422, 'the manifest is empty');
    return objects;
  } catch (error) {
    throw asRefusal(error);
  }
}

async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asRefusal(error);
  }
}

function asRefusal(error: unknown): unknown {
  return error instanceof ManifestError ? new Refusal(422, error.message, error.remedy ?? '') : error;
}
