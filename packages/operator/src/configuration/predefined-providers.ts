import { componentsFiles, type ProviderConfig, type ProviderType } from '@slipway/clusterctl';

/** GitHub repositories (`owner/repository`) of the predefined providers, by name. */
const repositories: Readonly<Record<ProviderType, Readonly<Record<string, string>>>> = {
  CoreProvider: { 'cluster-api': 'kubernetes-sigs/cluster-api' },
  BootstrapProvider: {
    'canonical-kubernetes': 'canonical/cluster-api-k8s',
    'k0sproject-k0smotron': 'k0sproject/k0smotron',
    'kairos-io': 'kairos-io/cluster-api-provider-kairos',
    kubeadm: 'kubernetes-sigs/cluster-api',
    'kubekey-k3s': 'kubesphere/kubekey',
    microk8s: 'canonical/cluster-api-bootstrap-provider-microk8s',
    rke2: 'rancher/cluster-api-provider-rke2',
    talos: 'siderolabs/cluster-api-bootstrap-provider-talos',
  },
  ControlPlaneProvider: {
    'canonical-kubernetes': 'canonical/cluster-api-k8s',
    'hosted-control-plane': 'teutonet/cluster-api-provider-hosted-control-plane',
    'k0sproject-k0smotron': 'k0sproject/k0smotron',
    'kairos-io': 'kairos-io/cluster-api-provider-kairos',
    kamaji: 'clastix/cluster-api-control-plane-provider-kamaji',
    kubeadm: 'kubernetes-sigs/cluster-api',
    'kubekey-k3s': 'kubesphere/kubekey',
    microk8s: 'canonical/cluster-api-control-plane-provider-microk8s',
    nested: 'kubernetes-sigs/cluster-api-provider-nested',
    rke2: 'rancher/cluster-api-provider-rke2',
    talos: 'siderolabs/cluster-api-control-plane-provider-talos',
  },
  InfrastructureProvider: {
    aws: 'kubernetes-sigs/cluster-api-provider-aws',
    azure: 'kubernetes-sigs/cluster-api-provider-azure',
    byoh: 'vmware-tanzu/cluster-api-provider-bringyourownhost',
    'cloudscale-ch-cloudscale': 'cloudscale-ch/cluster-api-provider-cloudscale',
    cloudstack: 'kubernetes-sigs/cluster-api-provider-cloudstack',
    coxedge: 'coxedge/cluster-api-provider-coxedge',
    digitalocean: 'kubernetes-sigs/cluster-api-provider-digitalocean',
    docker: 'kubernetes-sigs/cluster-api',
    gcp: 'kubernetes-sigs/cluster-api-provider-gcp',
    'harvester-harvester': 'rancher-sandbox/cluster-api-provider-harvester',
    hetzner: 'syself/cluster-api-provider-hetzner',
    'hivelocity-hivelocity': 'hivelocity/cluster-api-provider-hivelocity',
    huawei: 'HuaweiCloudDeveloper/cluster-api-provider-huawei',
    ibmcloud: 'kubernetes-sigs/cluster-api-provider-ibmcloud',
    'ionoscloud-ionoscloud': 'ionos-cloud/cluster-api-provider-ionoscloud',
    'k0sproject-k0smotron': 'k0sproject/k0smotron',
    'kairos-io-fleet': 'kairos-io/cluster-api-provider-kairos-fleet',
    kubekey: 'kubesphere/kubekey',
    'kubeswift-io': 'kubeswift-io/cluster-api-provider-kubeswift',
    kubevirt: 'kubernetes-sigs/cluster-api-provider-kubevirt',
    'linode-linode': 'linode/cluster-api-provider-linode',
    maas: 'spectrocloud/cluster-api-provider-maas',
    'metal-stack': 'metal-stack/cluster-api-provider-metal-stack',
    metal3: 'metal3-io/cluster-api-provider-metal3',
    nested: 'kubernetes-sigs/cluster-api-provider-nested',
    nutanix: 'nutanix-cloud-native/cluster-api-provider-nutanix',
    oci: 'oracle/cluster-api-provider-oci',
    opennebula: 'OpenNebula/cluster-api-provider-opennebula',
    openstack: 'kubernetes-sigs/cluster-api-provider-openstack',
    outscale: 'outscale/cluster-api-provider-outscale',
    oxide: 'oxidecomputer/cluster-api-provider-oxide',
    proxmox: 'ionos-cloud/cluster-api-provider-proxmox',
    scaleway: 'scaleway/cluster-api-provider-scaleway',
    sidero: 'siderolabs/sidero',
    'tinkerbell-tinkerbell': 'tinkerbell/cluster-api-provider-tinkerbell',
    vcd: 'vmware/cluster-api-provider-cloud-director',
    vcluster: 'loft-sh/cluster-api-provider-vcluster',
    virtink: 'smartxworks/cluster-api-provider-virtink',
    vsphere: 'kubernetes-sigs/cluster-api-provider-vsphere',
    'vultr-vultr': 'vultr/cluster-api-provider-vultr',
  },
  IPAMProvider: {
    'in-cluster': 'kubernetes-sigs/cluster-api-ipam-provider-in-cluster',
    metal3: 'metal3-io/ip-address-manager',
    nutanix: 'nutanix-cloud-native/cluster-api-ipam-provider-nutanix',
  },
  RuntimeExtensionProvider: { nutanix: 'nutanix-cloud-native/cluster-api-runtime-extensions-nutanix' },
  AddonProvider: {
    'eitco-cdk8s': 'eitco/cluster-api-addon-provider-cdk8s',
    helm: 'kubernetes-sigs/cluster-api-addon-provider-helm',
    'rancher-fleet': 'rancher/cluster-api-addon-provider-fleet',
  },
};

function fileOf(type: ProviderType, name: string): string {
  const isForDevelopment = type === 'InfrastructureProvider' && name === 'docker';
  return isForDevelopment ? 'infrastructure-components-development.yaml' : componentsFiles[type];
}

/** Providers that need no fetchConfig. The operator configuration takes precedence. */
export const predefinedProviders: readonly ProviderConfig[] = Object.entries(repositories).flatMap(([key, byName]) => {
  const type = key as ProviderType;
  return Object.entries(byName).map(([name, repository]) => ({
    name,
    type,
    url: `https://github.com/${repository}/releases/latest/${fileOf(type, name)}`,
  }));
});
