import type { Frozen } from '@slipway/kube';
import { defineKind, type Kind, type ObjectOf, optional } from '@slipway/kube/kit';
import { type Resource, resourceOf } from '@slipway/runtime';
import { type ProviderType, providerTypes } from '@slipway/clusterctl';
import { providerSpec, providerStatus } from './provider-spec.js';

/** Declares the CRD of a provider type. All types have the same fields. The name of an object is the name of its provider. */
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
        description: `${kind} installs a provider of this type into the namespace of the object. The name of the object is the name of the provider.`,
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

const coreProvider = providerKind('CoreProvider', 'cacp');
const bootstrapProvider = providerKind('BootstrapProvider', 'cabp');
const controlPlaneProvider = providerKind('ControlPlaneProvider', 'cacpp');
const infrastructureProvider = providerKind('InfrastructureProvider', 'caip');
const ipamProvider = providerKind('IPAMProvider', 'caipamp');
const runtimeExtensionProvider = providerKind('RuntimeExtensionProvider', 'carep');
const addonProvider = providerKind('AddonProvider', 'caap');

/** Kinds of the operator in dependency order: the core first. */
export const operatorKinds: readonly Kind[] = [
  coreProvider,
  bootstrapProvider,
  controlPlaneProvider,
  infrastructureProvider,
  ipamProvider,
  runtimeExtensionProvider,
  addonProvider,
];

/** A provider object of any type. */
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

/** Resources by provider type, which equals the kind. */
export const providerResources = Object.fromEntries(
  providerTypes.map((type) => [type, resourceOf(kindsByType[type])]),
) as Readonly<Record<ProviderType, Resource<ProviderObject>>>;
