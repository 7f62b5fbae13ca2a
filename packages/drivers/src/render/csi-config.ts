import { DriverError, type StorageProviderSpec } from '../api/index.js';
import { compareVersions } from '../matrix/index.js';
import { authoritiesFile, type ConnectionFacts, hasDomain } from './connection-facts.js';
import { iniSection } from './ini.js';

export interface CsiConfigInput {
  readonly spec: StorageProviderSpec;
  readonly connections: readonly ConnectionFacts[];
  readonly version: string;
  /** ID of the cluster. Undefined if the driver generates it. */
  readonly clusterId?: string | undefined;
  readonly distribution?: string | undefined;
}

const vCentersMax = 5;
const clusterIdMax = 64;

/** Renders `csi-vsphere.conf`. Rejects settings with which the driver would not start, and names the field. */
export function csiConfig(input: CsiConfigInput): string {
  check(input);
  const { spec, connections, clusterId } = input;
  const distribution = spec.clusterDistribution ?? input.distribution;
  const categories = spec.topologyCategories ?? [];
  const { snapshots } = spec;
  return [
    iniSection('Global', undefined, { 'cluster-id': clusterId, 'cluster-distribution': distribution }),
    ...connections.map((connection) => vCenterSection(connection, input)),
    ...(spec.fileVolumes?.netPermissions ?? []).map(({ ips, permissions = 'READ_WRITE', rootSquash = false }, place) =>
      iniSection('NetPermissions', String.fromCodePoint(65 + (place % 26)) + (place < 26 ? '' : String(place)), {
        ips,
        permissions,
        rootsquash: String(rootSquash),
      }),
    ),
    ...(categories.length > 0
      ? [iniSection('Labels', undefined, { 'topology-categories': categories.join(',') })]
      : []),
    ...(snapshots === undefined
      ? []
      : [
          iniSection('Snapshot', undefined, {
            'global-max-snapshots-per-block-volume': snapshots.globalMaxSnapshotsPerBlockVolume?.toString(),
            'granular-max-snapshots-per-block-volume-vsan': snapshots.granularVsan?.toString(),
            'granular-max-snapshots-per-block-volume-vvol': snapshots.granularVvol?.toString(),
          }),
        ]),
  ].join('\n');
}

function vCenterSection(connection: ConnectionFacts, { spec, version }: CsiConfigInput): string {
  const { server, insecure, thumbprint, caBundle, username, password, port, datacenters } = connection;
  const clusters = spec.fileVolumes?.vsanFileShareClusters ?? [];
  const urls = compareVersions(version, '3.3.0') < 0 ? (spec.fileVolumes?.vsanDataStoreUrl ?? []) : [];
  return iniSection('VirtualCenter', server, {
    'insecure-flag': String(insecure),
    thumbprint,
    'ca-file': caBundle === undefined ? undefined : `/etc/cloud/${authoritiesFile}`,
    user: username,
    password,
    port: String(port),
    datacenters: datacenters.join(', '),
    targetvSANFileShareClusters: clusters.length > 0 ? clusters.join(', ') : undefined,
    targetvSANFileShareDatastoreURLs: urls.length > 0 ? urls.join(', ') : undefined,
  });
}

function check({ spec, connections, version, clusterId }: CsiConfigInput): void {
  const refuse = (message: string): never => {
    throw new DriverError('ConfigurationInvalid', message);
  };
  if (connections.length === 0)
    throw new DriverError('ConnectionNotFound', 'the CSI driver has no connection to a vCenter');
  if (connections.length > vCentersMax)
    refuse(
      `the CSI driver supports at most ${vCentersMax} vCenters, but ${connections.length} are configured: select the connections in spec.storageProvider.vsphereCloudConfigs`,
    );
  if (connections.length > 1 && compareVersions(version, '3.0.0') < 0)
    refuse(`CSI ${version} supports one vCenter; several require 3.0.0 or later`);
  if (connections.length > 1 && (spec.topologyCategories ?? []).length === 0)
    refuse('several vCenters require spec.storageProvider.topologyCategories');
  if (clusterId !== undefined && clusterId.length > clusterIdMax)
    refuse(`the cluster-id is longer than ${clusterIdMax} characters`);
  for (const { name, username, password } of connections) {
    if (!hasDomain(username))
      throw new DriverError(
        'UserWithoutDomain',
        `the user of connection ${name} has no domain, but the storage driver requires one`,
      );
    if (password === '') throw new DriverError('SecretKeysMissing', `the password of connection ${name} is empty`);
  }
}

export interface ClusterIdFacts {
  readonly version: string;
  /** The ID in the Secret of an existing installation. */
  readonly inSecret: string | undefined;
  /** The ID in the ConfigMap of the driver. */
  readonly inConfigMap: string | undefined;
  /** UID of the namespace kube-system, which is unique and immutable. */
  readonly systemUid: string;
}

/**
 * Returns the ID that distinguishes the volumes of clusters in vCenter. It must never change and never be shared: the driver of
 * one cluster would treat volumes of the other as orphans. Since 3.0 the driver generates the ID, and rejects a second source.
 */
export function chooseClusterId({ version, inSecret, inConfigMap, systemUid }: ClusterIdFacts): string | undefined {
  if (inSecret !== undefined && inConfigMap !== undefined)
    throw new DriverError(
      'ClusterIdConflict',
      `the storage driver does not start because of two different cluster IDs: ${inSecret} in its Secret and ${inConfigMap} in the ConfigMap vsphere-csi-cluster-id`,
    );
  if (inSecret !== undefined) return inSecret;
  if (inConfigMap !== undefined) return undefined;
  return compareVersions(version, '3.0.0') >= 0 ? undefined : systemUid;
}

/** Returns the ID in an existing configuration. */
export function clusterIdIn(config: string): string | undefined {
  const [, quoted, bare] = /^\s*cluster-id\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;#]+))/m.exec(config) ?? [];
  const found = quoted?.replace(/\\(.)/g, '$1') ?? bare;
  return found === '' ? undefined : found;
}
