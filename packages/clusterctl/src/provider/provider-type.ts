/** What providers are for, in the order in which they are installed. */
export const providerTypes = [
  'CoreProvider',
  'BootstrapProvider',
  'ControlPlaneProvider',
  'InfrastructureProvider',
  'IPAMProvider',
  'RuntimeExtensionProvider',
  'AddonProvider',
] as const;

export type ProviderType = (typeof providerTypes)[number];

const labelPrefixes: Readonly<Record<ProviderType, string>> = {
  CoreProvider: '',
  BootstrapProvider: 'bootstrap-',
  ControlPlaneProvider: 'control-plane-',
  InfrastructureProvider: 'infrastructure-',
  IPAMProvider: 'ipam-',
  RuntimeExtensionProvider: 'runtime-extension-',
  AddonProvider: 'addon-',
};

/** The file with the components in a release of such a provider. */
export const componentsFiles: Readonly<Record<ProviderType, string>> = {
  CoreProvider: 'core-components.yaml',
  BootstrapProvider: 'bootstrap-components.yaml',
  ControlPlaneProvider: 'control-plane-components.yaml',
  InfrastructureProvider: 'infrastructure-components.yaml',
  IPAMProvider: 'ipam-components.yaml',
  RuntimeExtensionProvider: 'runtime-extensions-components.yaml',
  AddonProvider: 'addon-components.yaml',
};

/** Names a provider among all: `infrastructure-dev`. It labels its objects and its folder in a repository. */
export function manifestLabel(name: string, type: ProviderType): string {
  return `${labelPrefixes[type]}${name}`;
}

export function isProviderType(text: unknown): text is ProviderType {
  return (providerTypes as readonly unknown[]).includes(text);
}

export function compareProviderTypes(left: ProviderType, right: ProviderType): number {
  return providerTypes.indexOf(left) - providerTypes.indexOf(right);
}
