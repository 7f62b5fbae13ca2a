import { type Frozen, stringifyYaml } from '@slipway/kube';
import type { HaproxyLoadBalancer } from '../../api/index.js';
import { haproxyPaths, loadBalancerConfiguration } from './haproxy-configuration.js';
import type { DataPlaneCredentials } from './data-plane-credentials.js';

/** Path of the script in the guest. */
const scriptPath = '/etc/haproxy/make-certificate.sh';
const days = 3650;

/**
 * Script that creates the server certificate in the guest, which knows its own addresses. The CA key signs the certificate and is
 * deleted afterwards. `$1` is the directory.
 */
export const certificateScript = `#!/bin/sh
set -eu
umask 077
cd "$1"
names="DNS:localhost,IP:127.0.0.1"
for address in $(hostname -I); do names="$names,IP:$address"; done
openssl ecparam -name prime256v1 -genkey -noout -out server.key
openssl req -new -key server.key -subj "/CN=haproxy" -out server.csr
printf 'subjectAltName=%s\\nextendedKeyUsage=serverAuth\\n' "$names" > server.ext
openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days ${days} -extfile server.ext -out server.crt
rm -f server.csr server.ext ca.key ca.srl
`;

/** Renders the cloud-config: HAProxy without servers, and the files of its Data Plane API. */
export function bootstrapData(spec: Frozen<HaproxyLoadBalancer>['spec'], credentials: DataPlaneCredentials): string {
  const file = (path: string, permissions: string, content: string): object => ({
    path,
    owner: 'root:root',
    permissions,
    content,
  });
  const { user } = spec;
  const document = {
    write_files: [
      file(haproxyPaths.configuration, '0640', loadBalancerConfiguration(credentials, [])),
      file(haproxyPaths.authority, '0644', credentials.authority),
      file(haproxyPaths.authorityKey, '0600', credentials.authorityKey),
      file(scriptPath, '0700', certificateScript),
    ],
    ...(user !== undefined && {
      users: [
        {
          name: user.name,
          sudo: 'ALL=(ALL) NOPASSWD:ALL',
          shell: '/bin/bash',
          ssh_authorized_keys: [...(user.authorizedKeys ?? [])],
        },
      ],
    }),
    runcmd: [
      [scriptPath, '/etc/haproxy'],
      ['systemctl', 'enable', 'haproxy'],
      ['systemctl', 'restart', 'haproxy'],
    ],
  };
  return `#cloud-config\n${stringifyYaml(document)}`;
}
