import type { Frozen } from '@slipway/kube';
import { defineKind, type Kind, type ObjectOf, optional } from '@slipway/kube/kit';
import { type Resource, resourceOf } from '@slipway/runtime';
import { type ProviderType, providerTypes } from '@slipway/clusterctl';
import { providerSpec, providerStatus } from './provider-spec.js';

/** One kind for each type of provider; their fields are the same. The name of an object is the name of its provider. */
function providerKind<const Name extends ProviderType>(kind: Name, shortName: string) {
  return defineKind({
    group: 'operator.cluster.x-k8s.io',
    kind,
    plural: `${kind.toLowerCase()}s`,
    shortNames: [shortName],
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1alpha2',
        served: true,
        storage: true,
        description: `A ${kind} that is to be installed in the namespace of this object, and kept as it is told here.`,
        schema: { spec: optional(providerSpec), status: optional(providerStatus) },
        subresources: { status: true },
        columns: [
          { name: 'InstalledVersion', type: 'string', jsonPath: '.status.installedVersion' },
          { name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
        ],
      },
    ],
  });
}

export const coreProvider = providerKind('CoreProvider', 'cacp');
export const bootstrapProvider = providerKind('BootstrapProvider', 'cabp');
export const controlPlaneProvider = providerKind('ControlPlaneProvider', 'cacpp');
export const infrastructureProvider = providerKind('InfrastructureProvider', 'caip');
export const ipamProvider = providerKind('IPAMProvider', 'caipamp');
export const runtimeExtensionProvider = providerKind('RuntimeExtensionProvider', 'carep');
export const addonProvider = providerKind('AddonProvider', 'caap');

/** In the order in which providers depend on each other. */
export const operatorKinds: readonly Kind[] = [
  coreProvider,
  bootstrapProvider,
  controlPlaneProvider,
  infrastructureProvider,
  ipamProvider,
  runtimeExtensionProvider,
  addonProvider,
];

/** An object of any of the seven kinds. */
export type ProviderObject = Omit<ObjectOf<typeof coreProvider>, 'kind'> & { kind: ProviderType };
export type FrozenProvider = Frozen<ProviderObject>;

const kindsByType: Readonly<Record<ProviderType, Kind>> = {
  CoreProvider: coreProvider,
  BootstrapProvider: bootstrapProvider,
  ControlPlaneProvider: controlPlaneProvider,
  InfrastructureProvider: infrastructureProvider,
  IPAMProvider: ipamProvider,
  RuntimeExtensionProvider: runtimeExtensionProvider,
  AddonProvider: addonProvider,
};

/** The kinds as clients name them, by the type of provider, which their kind is. */
export const providerResources = Object.fromEntries(
  providerTypes.map((type) => [type, resourceOf(kindsByType[type])]),
) as Readonly<Record<ProviderType, Resource<ProviderObject>>>;
