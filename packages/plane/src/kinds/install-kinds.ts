import type { KubernetesServer } from '@slipway/apiserver';
import { type Disposable, Scope } from '@slipway/base';
import type { Client } from '@slipway/runtime';
import { ensureDefinitions, type EnsureOptions } from './ensure-definitions.js';
import { definitionsOf } from './definitions-of.js';
import { createKindAdmission } from './kind-admission.js';
import type { KindSet } from './kind-set.js';

/** The parts of the embedded server that in-process kinds need. */
export type KindTarget = Pick<KubernetesServer, 'admission' | 'registerConverter'>;

/**
 * Installs a set of kinds on the embedded server, with in-process admission and conversion. Disposing the result removes the
 * admission plugin.
 */
export async function installKinds(
  server: KindTarget,
  client: Client,
  kindSet: KindSet,
  options: EnsureOptions,
): Promise<Disposable> {
  const scope = new Scope();
  try {
    // Register admission and conversion before the CRDs, so that no object is written without them.
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
