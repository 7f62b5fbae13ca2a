import { type KubeObject, parseApiVersion } from '@slipway/kube';
import {
  type Reader,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  csiDrivers,
  customResourceDefinitions,
  daemonSets,
  deployments,
  namespaces,
  type Resource,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
  services,
  validatingWebhookConfigurations,
} from '@slipway/runtime';
import { DriverError } from '../api/index.js';

const known = new Map(
  (
    [
      clusterRoleBindings,
      clusterRoles,
      configMaps,
      csiDrivers,
      customResourceDefinitions,
      daemonSets,
      deployments,
      namespaces,
      roleBindings,
      roles,
      secrets,
      serviceAccounts,
      services,
      validatingWebhookConfigurations,
    ] as readonly unknown[] as readonly Resource[]
  ).map((resource) => [`${resource.kind}.${resource.group}`, resource]),
);

/** Returns the resource of an object. Resources of the drivers are built in; others are discovered. */
export async function resourceOfObject(
  read: Reader,
  { apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>,
): Promise<Resource> {
  const { group, version } = parseApiVersion(apiVersion);
  const found = known.get(`${kind}.${group}`) ?? (await read.resourceFor({ group, kind, version }));
  if (found === undefined)
    throw new DriverError('TemplateInvalid', `the API server does not serve ${kind} in ${apiVersion}`);
  return found;
}
