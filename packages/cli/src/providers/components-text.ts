import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import {
  labelOf,
  namespaceOf,
  type ProviderDeployment,
  providerObjects,
  stringifyManifest,
  webhookServiceName,
} from '@slipway/clusterctl';
import {
  caBundleTargetsOf,
  definitionsByWebhook,
  mutatingConfiguration,
  validatingConfiguration,
} from '@slipway/plane';
import { composeControllers, createHttpClient, selectControllers, type WebhookClientConfig } from '@slipway/runtime';
import { loadCargo } from './controllers.js';
import { dataDirectory, machineFolders } from '../instance/index.js';
import { slipwayVersion } from '../version.js';
import { providerList, type ListedProvider } from './provider-list.js';
import { managerRules } from './provider-rules.js';
import { partsOf, restrictCargo } from './restrict-cargo.js';

const image = `docker.io/slipway/manager:v${slipwayVersion}`;

/** The manifest of a provider, from what its controllers and kinds say of themselves. */
export async function componentsText(label: string): Promise<string> {
  return stringifyManifest(providerObjects(await deploymentOf(label)));
}

async function deploymentOf(label: string): Promise<ProviderDeployment> {
  const listed = providerList.find((provider: ListedProvider) => labelOf(provider) === label) as ListedProvider;
  const parts = partsOf(label);
  const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
  // Nobody is asked anything: controllers and rules only have to be made to tell what they want.
  const client = createHttpClient({ server: 'https://kubernetes.default.svc' });
  const cargo = restrictCargo(loadCargo({ ...world, ...machineFolders(dataDirectory(undefined)) }), [label]);
  const chosen = selectControllers(cargo.sets, { featureGates: 'AllAlpha=true,AllBeta=true' });
  const composition = composeControllers({ chosen, client, ...world });
  try {
    const kindSet = cargo.kinds?.({ client, findDefinition: () => undefined });
    if (kindSet === undefined) throw new Error(`${label} has no kinds`);
    const at = (path: string): WebhookClientConfig => ({
      service: { namespace: namespaceOf(listed), name: webhookServiceName(listed), path },
    });
    return {
      ...listed,
      image,
      featureGates: parts.featureGates ?? {},
      definitions: definitionsByWebhook(kindSet, at),
      webhookConfigurations: [mutatingConfiguration(kindSet, at), validatingConfiguration(kindSet, at)],
      rules: managerRules(composition.watched, parts.writes, {
        ...caBundleTargetsOf(kindSet),
        customResourceDefinitions: kindSet.kinds.map(({ plural, group }) => `${plural}.${group}`),
      }),
      aggregates: parts.aggregates ?? [],
    };
  } finally {
    await composition.dispose();
    await cargo.dispose?.();
    client.close();
  }
}
