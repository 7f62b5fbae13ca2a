import type { Clock, Random } from '@slipway/base';
import {
  cloneJson,
  type CustomResourceDefinition,
  type Frozen,
  isReason,
  type JsonObject,
  type JsonValue,
} from '@slipway/kube';
import { type Client, customResourceDefinitions, InformerFactory, type InformerView } from '@slipway/runtime';
import { covers } from './covers.js';

export interface EnsureOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

const fieldManager = 'slipway';
const timeoutMsDefault = 60_000;

/**
 * Creates or updates CRDs, waits until the server serves them, and returns the names of the written CRDs. Keeps members that
 * other clients added. Does not write a CRD that is up to date, so that a restart only reads.
 */
export async function ensureDefinitions(
  client: Client,
  definitions: readonly CustomResourceDefinition[],
  options: EnsureOptions,
): Promise<readonly string[]> {
  const { clock, timeoutMs = timeoutMsDefault } = options;
  const patience = new AbortController();
  const timer = clock.setTimer(timeoutMs, () =>
    patience.abort(new Error('timed out waiting for the CRDs to be established')),
  );
  const signal = options.signal === undefined ? patience.signal : AbortSignal.any([options.signal, patience.signal]);
  const factory = new InformerFactory({ client, clock, random: options.random });
  try {
    const informer = factory.informer(customResourceDefinitions);
    await informer.whenSynced({ signal });
    const stale = definitions.filter((definition) => !isUpToDate(definition, find(informer, definition)));
    await Promise.all(stale.map((definition) => write(client, definition, find(informer, definition), signal)));
    try {
      await informer.waitFor((view) => definitions.every((definition) => isServed(find(view, definition))), { signal });
    } catch (error) {
      options.signal?.throwIfAborted();
      throw new Error(notServed(definitions, informer), { cause: error });
    }
    return stale.map(nameOf);
  } finally {
    timer.cancel();
    await factory.dispose();
  }
}

type Stored = Frozen<CustomResourceDefinition>;

function nameOf({ metadata }: CustomResourceDefinition): string {
  return metadata.name ?? '';
}

function find(view: InformerView<CustomResourceDefinition>, desired: CustomResourceDefinition): Stored | undefined {
  return view.get({ namespace: '', name: nameOf(desired) });
}

function isUpToDate({ metadata, spec }: CustomResourceDefinition, stored: Stored | undefined): boolean {
  if (stored === undefined || stored.metadata.deletionTimestamp !== undefined) return false;
  const comparable = { spec, labels: metadata.labels ?? {}, annotations: metadata.annotations ?? {} };
  const { labels = {}, annotations = {} } = stored.metadata;
  return covers({ spec: stored.spec, labels, annotations } as unknown as JsonValue, comparable as unknown as JsonValue);
}

/** Writes a copy of the CRD: the embedded server takes ownership of its input, and the schemas are shared. */
async function write(
  client: Client,
  definition: CustomResourceDefinition,
  stored: Stored | undefined,
  signal: AbortSignal,
): Promise<void> {
  const options = { fieldManager, signal };
  const copy = (): CustomResourceDefinition => cloneJson(definition) as CustomResourceDefinition;
  if (stored === undefined) {
    try {
      await client.create(customResourceDefinitions, copy(), options);
      return;
    } catch (error) {
      // Another replica created the CRD first.
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
  }
  const key = { namespace: '', name: nameOf(definition) };
  await client.apply(customResourceDefinitions, key, copy() as unknown as JsonObject, { ...options, force: true });
}

function isServed(definition: Stored | undefined): boolean {
  const conditions = definition?.status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}

/** Returns the CRDs that are not served, each with the reason, such as a name conflict or an invalid schema. */
function notServed(
  definitions: readonly CustomResourceDefinition[],
  view: InformerView<CustomResourceDefinition>,
): string {
  const reasons = definitions
    .filter((definition) => !isServed(find(view, definition)))
    .map((definition) => {
      const refused = find(view, definition)?.status?.conditions?.find(({ status }) => status !== 'True');
      return `${nameOf(definition)} (${refused?.message ?? 'not processed by the API server yet'})`;
    });
  return `the server does not serve ${reasons.join(', ')}`;
}
