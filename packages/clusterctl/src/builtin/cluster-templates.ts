import { readTemplateFile } from './template-files.js';

/** Files of a provider release, by name. Each is read when it is requested. */
type TemplateFiles = Readonly<Record<string, () => string>>;

function templateFiles(folder: string, names: readonly string[]): TemplateFiles {
  return Object.fromEntries(names.map((name) => [name, () => readTemplateFile(`${folder}/${name}`)]));
}

/** Templates of in-memory clusters, by flavor. */
export const devTemplates: TemplateFiles = templateFiles('dev', [
  'cluster-template.yaml',
  'cluster-template-topology.yaml',
  'clusterclass-quick-start.yaml',
]);

/** Returns the template of the quick start: one control plane and one MachineDeployment, in memory. */
export function devClusterTemplate(): string {
  return readTemplateFile('dev/cluster-template.yaml');
}

/** Templates of clusters of QEMU virtual machines, by flavor, and the other files of that provider's release. */
export const kvmTemplates: TemplateFiles = templateFiles('kvm', [
  'cluster-template.yaml',
  'cluster-template-local.yaml',
  'cluster-template-flatcar.yaml',
  'cluster-template-kube-vip.yaml',
  'cluster-template-apps.yaml',
  'cluster-template-clusterclass.yaml',
  'clusterclass-kvm.yaml',
  'vertical-pod-autoscaler.yaml',
  'prometheus-rules.yaml',
  'release.yaml',
]);

/** Manifests of the cloud provider and the storage driver, with template variables. `drivers` renders them. */
export interface DriverManifests {
  readonly cloudAccount: string;
  readonly cloudManifests: string;
  readonly storageAccount: string;
  readonly storageManifests: string;
}

const vcenterFiles = [
  'cluster-template.yaml',
  'cluster-template-external-loadbalancer.yaml',
  'cluster-template-failure-domains.yaml',
  'cluster-template-haproxy.yaml',
  'cluster-template-ignition.yaml',
  'cluster-template-node-ipam.yaml',
  'cluster-template-topology.yaml',
];
const otherVSphereFiles = [
  'clusterclass-template.yaml',
  'cluster-template-supervisor.yaml',
  'cluster-template-topology-supervisor.yaml',
  'clusterclass-template-supervisor.yaml',
];

/** Templates of clusters on vSphere, by flavor, with upstream's variables. Those for a vCenter include its drivers. */
export const vsphereTemplates: Readonly<Record<string, (drivers: DriverManifests) => string>> = {
  ...Object.fromEntries(
    Object.entries(templateFiles('vsphere', vcenterFiles)).map(([name, read]) => [
      name,
      (drivers: DriverManifests) => `${read()}---\n${driverResources(drivers)}`,
    ]),
  ),
  ...templateFiles('vsphere', otherVSphereFiles),
};

/** Returns the objects that Cluster API applies to a workload cluster as soon as its API server responds. */
function driverResources(drivers: DriverManifests): string {
  const manifests = new Map<string, string>(Object.entries(drivers));
  // Replace each line `<name>` of a block scalar by the manifests of that name.
  return readTemplateFile('vsphere/driver-resources.yaml').replaceAll(
    /^( +)<(\w+)>$/gm,
    (_line, margin: string, name: string) => indent(margin, manifests.get(name) ?? ''),
  );
}

/** Indents the lines of a text. Empty lines stay empty. */
function indent(margin: string, text: string): string {
  return text.trimEnd().replaceAll(/^(?=.)/gm, margin);
}
