import {
  devTemplates,
  kvmTemplates,
  type ProviderType,
  type TemplateText,
  vsphereTemplates,
} from '@slipway/clusterctl';

/** A part of this program that is installed, upgraded and deleted by itself. What it brings stands in `provider-parts.ts`. */
export interface ListedProvider {
  readonly name: string;
  readonly type: ProviderType;
  /** Upstream's prefix of names: its manager runs in `<prefix>-system`. */
  readonly prefix: string;
  /** Files of templates, by name. */
  readonly templates?: Readonly<Record<string, TemplateText>>;
}

/** The templates of clusters on vSphere, with the drivers that this program knows: they are loaded by who wants a template. */
export const vsphereFlavors: Readonly<Record<string, () => Promise<string>>> = Object.fromEntries(
  Object.entries(vsphereTemplates).map(([file, render]) => [
    file,
    async () => {
      const { templateDrivers } = await import('@slipway/drivers');
      return render(templateDrivers());
    },
  ]),
);

/** Cheap to load: commands that need no kinds get along with it. */
export const providerList = [
  { name: 'cluster-api', type: 'CoreProvider', prefix: 'capi' },
  { name: 'kubeadm', type: 'BootstrapProvider', prefix: 'capi-kubeadm-bootstrap' },
  { name: 'kubeadm', type: 'ControlPlaneProvider', prefix: 'capi-kubeadm-control-plane' },
  { name: 'dev', type: 'InfrastructureProvider', prefix: 'capd', templates: devTemplates },
  { name: 'kvm', type: 'InfrastructureProvider', prefix: 'capk', templates: kvmTemplates },
  { name: 'vsphere', type: 'InfrastructureProvider', prefix: 'capv', templates: vsphereFlavors },
] as const satisfies readonly ListedProvider[];
