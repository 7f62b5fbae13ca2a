import type { PlatformCredentials } from './platform.js';

const apiVersion = 'cloudcredential.openshift.io/v1';

/** IAM actions of the AWS provider: instances, volumes, addresses and load balancer registration. */
const awsActions = [
  'ec2:AllocateHosts',
  'ec2:CreateTags',
  'ec2:DescribeAvailabilityZones',
  'ec2:DescribeDhcpOptions',
  'ec2:DescribeHosts',
  'ec2:DescribeImages',
  'ec2:DescribeInstances',
  'ec2:DescribeInstanceTypes',
  'ec2:DescribeInternetGateways',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSecurityGroups',
  'ec2:DescribeSubnets',
  'ec2:DescribeVolumes',
  'ec2:DescribeVpcs',
  'ec2:ModifyInstanceAttribute',
  'ec2:ModifyNetworkInterfaceAttribute',
  'ec2:ReleaseHosts',
  'ec2:RunInstances',
  'ec2:TerminateInstances',
  'elasticloadbalancing:DeregisterTargets',
  'elasticloadbalancing:DescribeLoadBalancers',
  'elasticloadbalancing:DescribeTargetGroups',
  'elasticloadbalancing:DescribeTargetHealth',
  'elasticloadbalancing:RegisterInstancesWithLoadBalancer',
  'elasticloadbalancing:RegisterTargets',
  'iam:CreateServiceLinkedRole',
  'iam:PassRole',
];
const keyActions = ['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey', 'kms:DescribeKey'];
const grantActions = ['kms:CreateGrant', 'kms:ListGrants', 'kms:RevokeGrant'];

export const awsCredentials: PlatformCredentials = {
  secretName: 'capa-manager-bootstrap-credentials',
  serviceAccount: 'capa-controller-manager',
  providerSpec: {
    apiVersion,
    kind: 'AWSProviderSpec',
    statementEntries: [
      { effect: 'Allow', action: awsActions, resource: '*' },
      { effect: 'Allow', action: keyActions, resource: '*' },
      {
        effect: 'Allow',
        action: grantActions,
        resource: '*',
        policyCondition: { Bool: { 'kms:GrantIsForAWSResource': true } },
      },
    ],
  },
};

export const azureCredentials: PlatformCredentials = {
  secretName: 'capz-manager-bootstrap-credentials',
  serviceAccount: 'capz-controller-manager',
  cloudTokenPath: '/var/run/secrets/azure/tokens/azure-identity-token',
  providerSpec: { apiVersion, kind: 'AzureProviderSpec', roleBindings: [{ role: 'Contributor' }] },
};

export const gcpCredentials: PlatformCredentials = {
  secretName: 'capg-manager-bootstrap-credentials',
  serviceAccount: 'capg-controller-manager',
  providerSpec: {
    apiVersion,
    kind: 'GCPProviderSpec',
    predefinedRoles: ['roles/compute.admin', 'roles/iam.serviceAccountUser'],
    skipServiceCheck: true,
  },
};

export const openStackCredentials: PlatformCredentials = {
  secretName: 'openstack-cloud-credentials',
  serviceAccount: 'capo-controller-manager',
  providerSpec: { apiVersion, kind: 'OpenStackProviderSpec' },
};

export const powerVsCredentials: PlatformCredentials = {
  secretName: 'capi-ibmcloud-manager-bootstrap-credentials',
  serviceAccount: 'capi-ibmcloud-controller-manager',
  providerSpec: {
    apiVersion,
    kind: 'IBMCloudPowerVSProviderSpec',
    policies: [
      {
        attributes: [{ name: 'serviceName', value: 'power-iaas' }],
        roles: ['crn:v1:bluemix:public:iam::::role:Viewer', 'crn:v1:bluemix:public:iam::::serviceRole:Manager'],
      },
      {
        attributes: [{ name: 'resourceType', value: 'resource-group' }],
        roles: ['crn:v1:bluemix:public:iam::::role:Viewer'],
      },
    ],
  },
};

export const vsphereCredentials: PlatformCredentials = {
  secretName: 'capv-manager-bootstrap-credentials',
  serviceAccount: 'capv-controller-manager',
  providerSpec: { apiVersion, kind: 'VSphereProviderSpec' },
};

export const nutanixCredentials: PlatformCredentials = {
  secretName: 'capx-manager-bootstrap-credentials',
  serviceAccount: 'capx-controller-manager',
  providerSpec: { apiVersion, kind: 'NutanixProviderSpec' },
};
