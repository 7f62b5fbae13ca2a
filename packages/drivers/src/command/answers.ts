import type { KubeObject } from '@slipway/kube';
import { operatorNamespace, systemNamespace } from '../api/index.js';
import { objectNameOf } from './names-of-servers.js';

/** The user's answers for one vCenter and driver. */
export interface ConnectionAnswers {
  readonly server: string;
  readonly port?: number;
  readonly insecure: boolean;
  readonly thumbprint?: string;
  readonly caBundle?: string;
  readonly datacenters: readonly string[];
  /** Account for the Secret to create. Absent if the Secret already exists. */
  readonly account?: { readonly username: string; readonly password: string };
  readonly secretName?: string;
}

export interface DriverAnswers {
  readonly name: string;
  readonly cpi: readonly ConnectionAnswers[] | undefined;
  readonly csi: readonly ConnectionAnswers[];
  readonly topology?: { readonly zone: string; readonly region: string };
  readonly topologyCategories?: readonly string[];
  readonly customKubeletPath?: string;
  readonly clusterDistribution?: string;
  readonly cpiVersion?: string;
  readonly csiVersion?: string;
  readonly fileVolumes?: {
    readonly vsanFileShareClusters?: readonly string[];
    readonly vsanDataStoreUrl?: readonly string[];
    readonly netPermissions?: readonly {
      readonly ips: string;
      readonly permissions?: string;
      readonly rootSquash?: boolean;
    }[];
  };
}

/** Returns the Secrets, connections and VDOConfig for the answers. */
export function answeredObjects(answers: DriverAnswers): KubeObject[] {
  const { cpi, csi } = answers;
  const objects: KubeObject[] = [];
  const connect = (driver: 'cpi' | 'csi', each: ConnectionAnswers): string => {
    const name = objectNameOf(each.server, `-${driver}`);
    const credentials = each.secretName ?? objectNameOf(each.server, `-creds-${driver}`);
    if (each.account !== undefined) objects.push(accountSecret(credentials, each.account));
    objects.push(connectionObject(name, credentials, each));
    return name;
  };
  const cpiNames = cpi?.map((each) => connect('cpi', each));
  const csiNames = csi.map((each) => connect('csi', each));
  const { topology, topologyCategories, customKubeletPath, clusterDistribution, fileVolumes, cpiVersion, csiVersion } =
    answers;
  return [
    ...objects,
    {
      apiVersion: 'vdo.vmware.com/v1alpha1',
      kind: 'VDOConfig',
      metadata: { name: answers.name, namespace: operatorNamespace },
      spec: {
        ...(cpiNames && {
          cloudProvider: {
            vsphereCloudConfigs: cpiNames,
            ...(topology && { topology }),
            ...(cpiVersion !== undefined && { version: cpiVersion }),
          },
        }),
        storageProvider: {
          vsphereCloudConfigs: csiNames,
          ...(topologyCategories && topologyCategories.length > 0 && { topologyCategories }),
          ...(customKubeletPath !== undefined && { customKubeletPath }),
          ...(clusterDistribution !== undefined && { clusterDistribution }),
          ...(csiVersion !== undefined && { version: csiVersion }),
          ...(fileVolumes && { fileVolumes }),
        },
      },
    },
  ];
}

export function accountSecret(
  name: string,
  { username, password }: { readonly username: string; readonly password: string },
  namespace = systemNamespace,
): KubeObject {
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: { 'vdo.vmware.com/managed-by': 'vdo' } },
    type: 'kubernetes.io/basic-auth',
    data: { username: encoded(username), password: encoded(password) },
  };
}

function connectionObject(name: string, credentials: string, each: ConnectionAnswers): KubeObject {
  const { server, port, insecure, thumbprint, caBundle, datacenters } = each;
  return {
    apiVersion: 'vdo.vmware.com/v1alpha1',
    kind: 'VsphereCloudConfig',
    metadata: { name, namespace: operatorNamespace },
    spec: {
      vcIp: server,
      ...(port !== undefined && port !== 443 && { port }),
      insecure,
      ...(!insecure && thumbprint !== undefined && { thumbprint }),
      ...(!insecure && caBundle !== undefined && { caBundle }),
      credentials,
      datacenters: datacenters.map((each) => each.trim()).filter((each) => each !== ''),
    },
  };
}
