import { type Clock, sleep } from '@slipway/base';
import type { CustomResourceDefinition, Frozen, JsonObject } from '@slipway/kube';
import { customResourceDefinitions } from '../builtin-resources/index.js';
import type { Client } from '../client/index.js';

export interface InstallOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

const fieldManager = 'slipway';
const timeoutMsDefault = 60_000;
const pollMsFirst = 5;
const pollMsLast = 500;

/** Brings definitions to what we carry, and waits until the server serves them. What others added stays. */
export async function installDefinitions(
  client: Client,
  definitions: readonly CustomResourceDefinition[],
  options: InstallOptions,
): Promise<void> {
  await Promise.all(
    definitions.map(async (definition) => {
      const key = { namespace: '', name: definition.metadata.name ?? '' };
      const { status: _status, ...configuration } = definition;
      const applied = await client.apply(customResourceDefinitions, key, configuration as unknown as JsonObject, {
        fieldManager,
        force: true,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
      await untilServed(client, key, applied, options);
    }),
  );
}

async function untilServed(
  client: Client,
  key: { readonly namespace: string; readonly name: string },
  applied: Frozen<CustomResourceDefinition>,
  options: InstallOptions,
): Promise<void> {
  const { clock, signal, timeoutMs = timeoutMsDefault } = options;
  const deadline = clock.monotonic() + timeoutMs;
  let pollMs = pollMsFirst;
  for (let definition = applied; !isServed(definition); ) {
    if (clock.monotonic() > deadline)
      throw new Error(`the server does not serve ${key.name} yet: ${reasonOf(definition)}`);
    await sleep(clock, pollMs, signal === undefined ? {} : { signal });
    pollMs = Math.min(pollMs * 2, pollMsLast);
    definition = await client.get(customResourceDefinitions, key, signal === undefined ? {} : { signal });
  }
}

function isServed(definition: Frozen<CustomResourceDefinition>): boolean {
  return (
    definition.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true
  );
}

/** Why not: a name that is taken, a schema that is refused. */
function reasonOf(definition: Frozen<CustomResourceDefinition>): string {
  const refused = definition.status?.conditions?.find(({ status }) => status !== 'True');
  return refused?.message ?? 'it has not looked at it';
}
