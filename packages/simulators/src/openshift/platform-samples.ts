import type { JsonObject } from '@slipway/kube';

/** The objects that the OpenShift installer creates on a platform. */
export interface PlatformSample {
  readonly platformSpec: JsonObject;
  readonly platformStatus: JsonObject;
  readonly providerSpec: JsonObject;
  /** Provider ID of a machine, by its name. */
  readonly providerId: (name: string) => string;
  /** Secrets by `namespace/name`, in plain text. */
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const none: JsonObject = {};

export const platformSamples: Readonly<Record<string, PlatformSample>> = {
  AWS: {
    platformSpec: { type: 'AWS' },
    platformStatus: { type: 'AWS', aws: { region: 'us-east-2' } },
    providerSpec: {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'AWSMachineProviderConfig',
      ami: { id: 'ami-0123456789abcdef0' },
      instanceType: 'm6i.large',
      placement: { region: 'us-east-2', availabilityZone: 'us-east-2a' },
      subnet: { filters: [{ name: 'tag:Name', values: ['demo-private-us-east-2a'] }] },
      credentialsSecret: { name: 'aws-cloud-credentials' },
      userDataSecret: { name: 'worker-user-data' },
      loadBalancers: [
        { name: 'demo-ext', type: 'network' },
        { name: 'demo-int', type: 'network' },
      ],
    },
    providerId: (name) => `aws:///us-east-2a/i-${name}`,
  },
  Azure: {
    platformSpec: { type: 'Azure' },
    platformStatus: { type: 'Azure', azure: { cloudName: 'AzurePublicCloud', resourceGroupName: 'demo-rg' } },
    providerSpec: { location: 'westeurope', vnet: 'demo-vnet', networkResourceGroup: 'demo-rg' },
    providerId: (name) => `azure:///subscriptions/demo/resourceGroups/demo-rg/virtualMachines/${name}`,
    secrets: {
      'openshift-cluster-api/capz-manager-bootstrap-credentials': {
        azure_client_id: 'client',
        azure_tenant_id: 'tenant',
        azure_client_secret: 'not-a-secret',
      },
    },
  },
  GCP: {
    platformSpec: { type: 'GCP', gcp: none },
    platformStatus: { type: 'GCP', gcp: { region: 'europe-west1', projectID: 'demo-project' } },
    providerSpec: { projectID: 'demo-project', networkInterfaces: [{ network: 'demo-network' }] },
    providerId: (name) => `gce://demo-project/europe-west1-b/${name}`,
  },
  BareMetal: {
    platformSpec: { type: 'BareMetal' },
    platformStatus: { type: 'BareMetal', baremetal: none },
    providerSpec: none,
    providerId: (name) => `metal3://openshift-machine-api/${name}`,
  },
  OpenStack: {
    platformSpec: { type: 'OpenStack' },
    platformStatus: { type: 'OpenStack', openstack: { apiServerInternalIPs: ['10.0.0.5'] } },
    providerSpec: {
      apiVersion: 'machine.openshift.io/v1alpha1',
      kind: 'OpenstackProviderSpec',
      flavor: 'm1.large',
      image: 'rhcos',
      cloudName: 'openstack',
      cloudsSecret: { name: 'openstack-cloud-credentials' },
      userDataSecret: { name: 'worker-user-data' },
    },
    providerId: (name) => `openstack:///${name}`,
  },
  VSphere: {
    platformSpec: { type: 'VSphere', vsphere: { vcenters: [{ server: 'vcenter.example.com' }] } },
    platformStatus: { type: 'VSphere', vsphere: none },
    providerSpec: { workspace: { server: 'vcenter.example.com' } },
    providerId: (name) => `vsphere://${name}`,
    secrets: {
      'kube-system/vsphere-creds': {
        'vcenter.example.com.username': 'demo',
        'vcenter.example.com.password': 'not-a-secret',
      },
    },
  },
  PowerVS: {
    platformSpec: { type: 'PowerVS' },
    platformStatus: { type: 'PowerVS', powervs: { region: 'lon' } },
    providerSpec: { serviceInstance: { type: 'ID', id: 'demo-service' }, network: { type: 'RegEx', regex: '^DHCP.*' } },
    providerId: (name) => `ibmpowervs://lon/lon04/demo-service/${name}`,
  },
  Nutanix: {
    platformSpec: {
      type: 'Nutanix',
      nutanix: {
        prismCentral: { address: 'prism.example.com', port: 9440 },
        failureDomains: [
          {
            name: 'rack-1',
            cluster: { type: 'UUID', uuid: '0005b6f1-8f43-a0f2-02b7-3cecef193712' },
            subnets: [{ type: 'Name', name: 'demo' }],
          },
        ],
      },
    },
    platformStatus: { type: 'Nutanix', nutanix: none },
    providerSpec: none,
    providerId: (name) => `nutanix://${name}`,
  },
};
