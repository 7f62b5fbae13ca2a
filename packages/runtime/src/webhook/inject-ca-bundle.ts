import { type Frozen, isReason, type KubeObject } from '@slipway/kube';
import {
  customResourceDefinitions,
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../builtin-resources/index.js';
import type { Client, Resource } from '../client/index.js';
import { edit } from '../change/edit.js';

export interface CaBundleTargets {
  readonly validating?: readonly string[];
  readonly mutating?: readonly string[];
  readonly customResourceDefinitions?: readonly string[];
}

interface Configuration extends KubeObject {
  webhooks?: { clientConfig: { caBundle?: string } }[];
}

interface Definition extends KubeObject {
  spec: { conversion?: { strategy?: string; webhook?: { clientConfig?: { caBundle?: string } } } };
}

const attemptsMax = 5;

/** Writes the CA bundle into webhook configurations and CRDs. Missing objects are skipped. */
export async function injectCaBundle(client: Client, targets: CaBundleTargets, caBundlePem: string): Promise<void> {
  const caBundle = Buffer.from(caBundlePem).toString('base64');
  const trustHooks = (object: Frozen<KubeObject>): Frozen<KubeObject> =>
    edit(object as Configuration, ({ webhooks }) => {
      for (const { clientConfig } of webhooks ?? []) clientConfig.caBundle = caBundle;
    }) as Frozen<KubeObject>;
  const trustConversion = (object: Frozen<KubeObject>): Frozen<KubeObject> =>
    edit(object as Definition, ({ spec: { conversion } }) => {
      if (conversion?.webhook?.clientConfig !== undefined) conversion.webhook.clientConfig.caBundle = caBundle;
    }) as Frozen<KubeObject>;
  const work: readonly [Resource, readonly string[] | undefined, typeof trustHooks][] = [
    [validatingWebhookConfigurations, targets.validating, trustHooks],
    [mutatingWebhookConfigurations, targets.mutating, trustHooks],
    [customResourceDefinitions, targets.customResourceDefinitions, trustConversion],
  ];
  for (const [resource, names, change] of work)
    for (const name of names ?? []) await changeObject(client, resource, name, change);
}

/**
 * Reads, changes and updates an object with its resourceVersion, and retries on conflict: other writers own parts of the webhook
 * list.
 */
async function changeObject(
  client: Client,
  resource: Resource,
  name: string,
  change: (object: Frozen<KubeObject>) => Frozen<KubeObject>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const before = await client.get(resource, { namespace: '', name });
      const after = change(before);
      if (after !== before) await client.update(resource, { ...after, metadata: { ...after.metadata } } as KubeObject);
      return;
    } catch (error) {
      if (isReason(error, 'NotFound')) return;
      if (!isReason(error, 'Conflict') || attempt >= attemptsMax) throw error;
    }
  }
}
