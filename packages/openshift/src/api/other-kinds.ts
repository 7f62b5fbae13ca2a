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
      description: 'What a part of the cluster wants to be allowed in the cloud.',
      subresources: { status: true },
      schema: {
        spec: object({
          secretRef: object({ name: string(), namespace: string() }),
          providerSpec: optional(anything),
          serviceAccountNames: optional(atomicList(string())),
          cloudTokenPath: text,
        }),
        status: optional(anything),
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
      description: 'Rules by which alerts are raised.',
      schema: { spec: anything },
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
      description: 'Whose metrics are collected.',
      schema: { spec: anything },
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
      description: 'The addresses that OpenShiftSDN gives a node.',
      schema: {
        host: text,
        hostIP: text,
        subnet: text,
        egressIPs: optional(atomicList(string())),
        egressCIDRs: optional(atomicList(string())),
      },
    },
  ],
});
