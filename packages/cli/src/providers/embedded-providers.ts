import { labelOf, namespaceOf, providerVersion } from '@slipway/clusterctl';
import { EmbeddedProviders } from '@slipway/operator';
import { slipwayVersion } from '../version.js';
import { providerList } from './provider-list.js';
import { partsOf } from './restrict-bundle.js';

/** Returns the providers of this process, which `slipway up` serves as provider objects of the operator and can disable. */
export function embeddedProviders(): EmbeddedProviders {
  return new EmbeddedProviders(
    providerList.map((listed) => ({
      name: listed.name,
      type: listed.type,
      version: providerVersion(slipwayVersion),
      namespace: namespaceOf(listed),
      controllers: partsOf(labelOf(listed)).controllers,
    })),
  );
}
