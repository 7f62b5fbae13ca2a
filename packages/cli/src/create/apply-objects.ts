import { asJson, isReason, type KubeObject, parseApiVersion } from '@slipway/kube';
import type { Client, Resource } from '@slipway/runtime';
import { CliError } from '../errors/index.js';

export interface ApplyObjectsOptions {
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly onObject: (text: string) => void;
}

const fieldManager = 'slipway';

/** Server-side apply, object after object. What the server refuses ends it; what was applied before stays. */
export async function applyObjects(
  client: Client,
  objects: readonly KubeObject[],
  options: ApplyObjectsOptions,
): Promise<void> {
  const { dryRun, signal, onObject } = options;
  const found = await Promise.all(
    objects.map(async (object) => ({ object, resource: await resourceOf(client, object) })),
  );
  for (const { object, resource } of found) {
    const key = {
      namespace: resource.namespaced ? (object.metadata.namespace ?? '') : '',
      name: object.metadata.name ?? '',
    };
    const what = `${resource.plural}${resource.group === '' ? '' : `.${resource.group}`}/${key.name}`;
    try {
      await client.apply(resource, key, asJson(object), { fieldManager, dryRun, signal });
    } catch (error) {
      throw isReason(error, 'Conflict') ? conflictOf(what, error) : error;
    }
    onObject(`${what} applied${dryRun ? ' (dry run)' : ''}`);
  }
}

async function resourceOf(client: Client, { apiVersion, kind }: KubeObject): Promise<Resource> {
  const { group, version } = parseApiVersion(apiVersion);
  const resource = await client.resourceFor({ group, version, kind });
  if (resource !== undefined) return resource;
  throw new CliError(`the management cluster does not serve ${kind} (${apiVersion})`, {
    remedy: 'is the provider installed? `slipway init` installs providers; `slipway up --api-only` has none',
  });
}

function conflictOf(what: string, error: unknown): CliError {
  return new CliError(
    `${what} is there already, and somebody else keeps other values in it: ${(error as Error).message}`,
    {
      remedy: 'choose another name for the cluster, or change the one that is there',
      cause: error,
    },
  );
}
