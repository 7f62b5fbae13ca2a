import { ClusterctlError, parseProviderReference, type ProviderType } from '@slipway/clusterctl';

/** A provider from a command-line flag. */
export interface PreloadReference {
  readonly type: ProviderType;
  readonly name: string;
  readonly namespace: string;
  readonly version?: string;
}

/** Parses `name[:namespace[:version]]`. The namespace defaults to the usual one of the provider. */
export function parsePreloadReference(type: ProviderType, text: string): PreloadReference {
  const [given = '', namespace = '', version, ...rest] = text.split(':');
  const { name } = parseProviderReference(given);
  if (rest.length > 0 || version === '')
    throw new ClusterctlError(`invalid provider "${text}": it should be in the form name[:namespace[:version]]`);
  return {
    type,
    name,
    namespace: namespace === '' ? usualNamespace(type, name) : namespace,
    ...(version !== undefined && { version }),
  };
}

const words: Readonly<Record<Exclude<ProviderType, 'CoreProvider'>, string>> = {
  BootstrapProvider: 'bootstrap',
  ControlPlaneProvider: 'control-plane',
  InfrastructureProvider: 'infrastructure',
  IPAMProvider: 'ipam',
  RuntimeExtensionProvider: 'runtime-extension',
  AddonProvider: 'addon',
};

/** Returns the default namespace of a provider in the Helm chart of the Cluster API operator. */
function usualNamespace(type: ProviderType, name: string): string {
  if (type === 'CoreProvider') return 'capi-system';
  return name === 'kubeadm' ? `capi-kubeadm-${words[type]}-system` : `${name}-${words[type]}-system`;
}
