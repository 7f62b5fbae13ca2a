import { labelOf, namespaceOf } from '@slipway/clusterctl';
import { EmbeddedProviders } from '@slipway/operator';
import { listedProviders } from './provider-list.js';
import { partsOf } from './restrict-bundle.js';

/** Returns the providers of this process, which `slipway up` serves as provider objects of the operator and can disable. */
export function embeddedProviders(): EmbeddedProviders {
  return new EmbeddedProviders(
    listedProviders().map((listed) => ({
      name: listed.name,
      type: listed.type,
      version: listed.version,
      namespace: namespaceOf(listed),
      controllers: partsOf(labelOf(listed)).controllers,
    })),
  );
}
