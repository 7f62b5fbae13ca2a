import {
  devTemplates,
  kvmTemplates,
  type ProviderType,
  type TemplateText,
  vsphereTemplates,
} from '@slipway/clusterctl';

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

/** Built-in providers. Cheap to load, for commands that do not need the CRDs. */
export const providerList = [
  { name: 'cluster-api', type: 'CoreProvider', prefix: 'capi' },
  { name: 'kubeadm', type: 'BootstrapProvider', prefix: 'capi-kubeadm-bootstrap' },
  { name: 'kubeadm', type: 'ControlPlaneProvider', prefix: 'capi-kubeadm-control-plane' },
  { name: 'dev', type: 'InfrastructureProvider', prefix: 'capd', templates: devTemplates },
  { name: 'kvm', type: 'InfrastructureProvider', prefix: 'capk', templates: kvmTemplates },
  { name: 'vsphere', type: 'InfrastructureProvider', prefix: 'capv', templates: vsphereFlavors },
] as const satisfies readonly ListedProvider[];
