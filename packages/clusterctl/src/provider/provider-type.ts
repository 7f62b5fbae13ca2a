/** The provider types, in installation order. */
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

/** The name of the components file in a release. */
export const componentsFiles: Readonly<Record<ProviderType, string>> = {
  CoreProvider: 'core-components.yaml',
  BootstrapProvider: 'bootstrap-components.yaml',
  ControlPlaneProvider: 'control-plane-components.yaml',
  InfrastructureProvider: 'infrastructure-components.yaml',
  IPAMProvider: 'ipam-components.yaml',
  RuntimeExtensionProvider: 'runtime-extensions-components.yaml',
  AddonProvider: 'addon-components.yaml',
};

/** Returns the label of a provider, such as `infrastructure-dev`, which is used on objects and in repository paths. */
export function manifestLabel(name: string, type: ProviderType): string {
  return `${labelPrefixes[type]}${name}`;
}

export function isProviderType(text: unknown): text is ProviderType {
  return (providerTypes as readonly unknown[]).includes(text);
}

export function compareProviderTypes(left: ProviderType, right: ProviderType): number {
  return providerTypes.indexOf(left) - providerTypes.indexOf(right);
}
