import { stringifyYaml } from '@slipway/kube';
import { type CloudProviderSpec, DriverError, systemNamespace } from '../api/index.js';
import { authoritiesFile, authoritiesOf, type ConnectionFacts, isKeyable } from './connection-facts.js';
import { iniSection } from './ini.js';

export const cpiSecretName = 'cpi-global-secret';

/** Renders `vsphere.conf`. insecureFlag is set per vCenter: in the global section it would apply to all of them. */
export function cpiConfig(
  spec: CloudProviderSpec,
  connections: readonly ConnectionFacts[],
  format: 'yaml' | 'ini',
): string {
  checkConnections(connections);
  return format === 'ini' ? iniConfig(spec, connections) : yamlConfig(spec, connections);
}

function checkConnections(connections: readonly ConnectionFacts[]): void {
  if (connections.length === 0) throw new DriverError('ConnectionNotFound', 'the CPI has no connection to a vCenter');
  const servers = connections.map(({ server }) => server.toLowerCase());
  const twice = servers.find((server, place) => servers.indexOf(server) !== place);
  if (twice !== undefined)
    throw new DriverError(
      'ConfigurationInvalid',
      `two connections of the CPI have the server ${twice}: select one in spec.cloudProvider.vsphereCloudConfigs`,
    );
}

function yamlConfig(spec: CloudProviderSpec, connections: readonly ConnectionFacts[]): string {
  const { topology, nodes = {}, ipFamily } = spec;
  const hasAuthorities = authoritiesOf(connections) !== undefined;
  return stringifyYaml({
    global: {
      port: 443,
      secretName: cpiSecretName,
      secretNamespace: systemNamespace,
      ...(hasAuthorities && { caFile: `/etc/cloud/${authoritiesFile}` }),
      ...(ipFamily && ipFamily.length > 0 && { ipFamily }),
    },
    vcenter: Object.fromEntries(
      connections.map(({ server, port, insecure, thumbprint, datacenters }) => [
        server,
        {
          server,
          port,
          datacenters,
          insecureFlag: insecure,
          ...(thumbprint !== undefined && { thumbprint }),
          secretName: cpiSecretName,
          secretNamespace: systemNamespace,
        },
      ]),
    ),
    ...(topology && { labels: { region: topology.region, zone: topology.zone } }),
    ...(Object.keys(nodes).length > 0 && { nodes }),
  });
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Renders the format of releases before 1.20. */
function iniConfig(
  { topology, nodes = {}, ipFamily }: CloudProviderSpec,
  connections: readonly ConnectionFacts[],
): string {
  const hasAuthorities = authoritiesOf(connections) !== undefined;
  return [
    iniSection('Global', undefined, {
      port: '443',
      'secret-name': cpiSecretName,
      'secret-namespace': systemNamespace,
      ...(hasAuthorities && { 'ca-file': `/etc/cloud/${authoritiesFile}` }),
      ...(ipFamily && ipFamily.length > 0 && { 'ip-family': ipFamily.join(',') }),
    }),
    ...connections.map(({ server, port, insecure, thumbprint, datacenters }) =>
      iniSection('VirtualCenter', server, {
        server,
        port: String(port),
        'insecure-flag': String(insecure),
        ...(thumbprint !== undefined && { thumbprint }),
        datacenters: datacenters.join(', '),
      }),
    ),
    ...(topology ? [iniSection('Labels', undefined, { region: topology.region, zone: topology.zone })] : []),
    ...(Object.keys(nodes).length > 0
      ? [
          iniSection(
            'Nodes',
            undefined,
            Object.fromEntries(Object.entries(nodes).map(([key, value]) => [kebab(key), value])),
          ),
        ]
      : []),
  ].join('\n');
}

/**
 * Returns the Secret data with the accounts. A server that cannot be part of a key is stored in separate keys for server, user
 * and password.
 */
export function cpiSecretData(connections: readonly ConnectionFacts[]): Record<string, string> {
  const data: Record<string, string> = {};
  for (const [place, { server, username, password }] of connections.entries()) {
    if (isKeyable(server)) {
      data[`${server}.username`] = username;
      data[`${server}.password`] = password;
    } else {
      data[`server_${place}`] = server;
      data[`username_${place}`] = username;
      data[`password_${place}`] = password;
    }
  }
  return data;
}
