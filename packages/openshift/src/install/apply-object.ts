import { asJson, type KubeObject, parseApiVersion } from '@slipway/kube';
import { type Client, keyOf, ReconcileError } from '@slipway/runtime';
import { operatorName } from '../names.js';

/** Brings what we say of an object to what it is to be; what others say of it stays. Written only where it differs. */
export async function applyObject(client: Client, object: KubeObject, signal: AbortSignal): Promise<void> {
  const { group, version } = parseApiVersion(object.apiVersion);
  const resource = await client.resourceFor({ group, version, kind: object.kind });
  if (resource === undefined)
    throw new ReconcileError('DefinitionMissing', `the definition of ${object.kind}`, { retry: 'onChange' });
  await client.apply(resource, keyOf(object), asJson(object), { fieldManager: operatorName, force: true, signal });
}
