import {
  devTemplates,
  kvmTemplates,
  type ProviderType,
  type TemplateText,
  vsphereTemplates,
  providerVersion,
} from '@slipway/clusterctl';
import { loadedPlugins } from '../plugins/index.js';
import { slipwayVersion } from '../version.js';

/** A provider that can be installed, upgraded and deleted separately. Its content is in `provider-parts.ts`. */
export interface ListedProvider {
  readonly name: string;
  readonly type: ProviderType;
  /** Upstream's name prefix: the manager runs in namespace `<prefix>-system`. */
  readonly prefix: string;
  /** Template files by name. */
  readonly templates?: Readonly<Record<string, TemplateText>>;
}

/** Cluster templates for vSphere, with the built-in driver versions. Loaded on demand. */
export const vsphereFlavors: Readonly<Record<string, () => Promise<string>>> = Object.fromEntries(
  Object.entries(vsphereTemplates).map(([file, render]) => [
    file,
    async () => {
      const { templateDrivers } = await import('@slipway/drivers');
      return render(templateDrivers());
    },
  ]),
);

/** Built-in providers, without plugins. Cheap to load, for commands that do not need the CRDs. */
export const providerList = [
  { name: 'cluster-api', type: 'CoreProvider', prefix: 'capi' },
  { name: 'kubeadm', type: 'BootstrapProvider', prefix: 'capi-kubeadm-bootstrap' },
  { name: 'kubeadm', type: 'ControlPlaneProvider', prefix: 'capi-kubeadm-control-plane' },
  { name: 'dev', type: 'InfrastructureProvider', prefix: 'capd', templates: devTemplates },
  { name: 'kvm', type: 'InfrastructureProvider', prefix: 'capk', templates: kvmTemplates },
  { name: 'vsphere', type: 'InfrastructureProvider', prefix: 'capv', templates: vsphereFlavors },
] as const satisfies readonly ListedProvider[];

/** A provider of this program or of a plugin, with its version. */
export interface VersionedProvider extends ListedProvider {
  readonly version: string;
}

/** Returns the built-in providers and those of the loaded plugins. */
export function listedProviders(): readonly VersionedProvider[] {
  const builtIn = providerList.map(withVersion);
  const added = loadedPlugins().map(({ plugin: { name, type, templates = {} }, version }) => ({
    name,
    type,
    prefix: `slipway-${name}`,
    version: `v${version}`,
    templates: Object.fromEntries(Object.entries(templates).map(([file, text]) => [file, () => text])),
  }));
  return [...builtIn, ...added];
}

/** Returns a provider of this program with the version of this program. */
export function withVersion(provider: ListedProvider): VersionedProvider {
  return { ...provider, version: providerVersion(slipwayVersion) };
}

/**
 * The operator that installs providers from their objects. It is not listed: it is not in the inventory of clusterctl, and the Helm
 * chart installs it. The type of the core provider adds no prefix to its label.
 */
export const providerOperator: ListedProvider = {
  name: 'capi-operator',
  type: 'CoreProvider',
  prefix: 'capi-operator',
};
