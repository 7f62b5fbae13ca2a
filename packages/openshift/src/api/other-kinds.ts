import { atomicList, defineKind, object, optional, string } from '@slipway/kube/kit';
import { anything, text } from './shared.js';

export const credentialsRequest = defineKind({
  group: 'cloudcredential.openshift.io',
  kind: 'CredentialsRequest',
  plural: 'credentialsrequests',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      description: 'CredentialsRequest requests cloud credentials for a component of the cluster.',
      subresources: { status: true },
      schema: {
        spec: object(
          {
            secretRef: object(
              {
                name: string({ description: 'Name of the Secret.' }),
                namespace: string({ description: 'Namespace of the Secret.' }),
              },
              { description: 'Secret that the credentials are written to.' },
            ),
            providerSpec: optional(anything('Permissions that are requested, in the API of the platform.')),
            serviceAccountNames: optional(
              atomicList(string(), { description: 'ServiceAccounts that use the credentials.' }),
            ),
            cloudTokenPath: text('Path of the mounted ServiceAccount token, for clouds that exchange tokens.'),
          },
          { description: 'Credentials that are requested.' },
        ),
        status: optional(anything('Observed state of the request.')),
      },
    },
  ],
});

export const prometheusRule = defineKind({
  group: 'monitoring.coreos.com',
  kind: 'PrometheusRule',
  plural: 'prometheusrules',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      description: 'PrometheusRule holds recording and alerting rules of the Prometheus operator.',
      schema: { spec: anything('Groups of recording and alerting rules.') },
    },
  ],
});

export const serviceMonitor = defineKind({
  group: 'monitoring.coreos.com',
  kind: 'ServiceMonitor',
  plural: 'servicemonitors',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      description: 'ServiceMonitor selects Services whose metrics the Prometheus operator collects.',
      schema: { spec: anything('Services to select and endpoints to scrape.') },
    },
  ],
});

export const hostSubnet = defineKind({
  group: 'network.openshift.io',
  kind: 'HostSubnet',
  plural: 'hostsubnets',
  scope: 'Cluster',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      description: 'HostSubnet is the pod network of one node of OpenShiftSDN.',
      schema: {
        host: text('Name of the node, which is also the name of the object.'),
        hostIP: text('IP address of the node that other nodes use to reach its pods.'),
        subnet: text('Network of the pods of the node, in CIDR notation.'),
        egressIPs: optional(
          atomicList(string(), { description: 'Egress IP addresses that are currently assigned to the node.' }),
        ),
        egressCIDRs: optional(
          atomicList(string(), { description: 'Networks from which egress IP addresses are assigned to the node.' }),
        ),
      },
    },
  ],
});
