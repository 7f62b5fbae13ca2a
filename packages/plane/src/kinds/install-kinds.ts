import type { KubernetesServer } from '@slipway/apiserver';
import { type Disposable, Scope } from '@slipway/base';
import type { Client } from '@slipway/runtime';
import { ensureDefinitions, type EnsureOptions } from './ensure-definitions.js';
import { definitionsOf } from './definitions-of.js';
import { createKindAdmission } from './kind-admission.js';
import type { KindSet } from './kind-set.js';

/** What the embedded server is asked to do for kinds of its own process. */
export type KindTarget = Pick<KubernetesServer, 'admission' | 'registerConverter'>;

/** Serves a set on the embedded server, its rules and conversions by function call. Takes the rules back when disposed. */
export async function installKinds(
  server: KindTarget,
  client: Client,
  kindSet: KindSet,
  options: EnsureOptions,
): Promise<Disposable> {
  const scope = new Scope();
  try {
    // Before the definitions: no object may be written past its rules.
    for (const [kind, convert] of kindSet.converters) server.registerConverter(kind.group, kind.kind, convert);
    scope.add(server.admission.add(createKindAdmission(kindSet)));
    const definitions = definitionsOf(kindSet);
    await ensureDefinitions(client, definitions, options);
    return scope;
  } catch (error) {
    await scope.dispose();
    throw error;
  }
}
