import { createPublicKey } from 'node:crypto';
import { type Certificate, parseCertificates, privateKeyFromPem, publicKeyToDer } from '@slipway/pki';
import {
  type ConnectionConfig,
  ConnectionError,
  connectionOf,
  type ObjectKey,
  parseKubeconfig,
  type RemoteClient,
} from '@slipway/runtime';
import type { WorkloadCluster } from './workload-cluster.js';
import { InProcessWorkloadClient } from './workload-client.js';
import type { WorkloadClusters } from './workload-clusters.js';

/**
 * Connects to a simulated cluster of this process without network and TLS, if the kubeconfig points to one. Returns undefined
 * for other addresses, another CA or invalid credentials: the caller then opens a real connection, which reports the error.
 * Throws ConnectionError while no API server runs.
 */
export function connectInProcess(
  workloads: WorkloadClusters,
  kubeconfig: string,
  cluster: ObjectKey,
): RemoteClient | undefined {
  const config = connectionOf(parseKubeconfig(kubeconfig), { inlineOnly: true });
  const workload = workloads.get(cluster);
  if (workload === undefined || !leadsTo(config, workload)) return undefined;
  const { server, authorities } = workload;
  if (server === undefined || authorities === undefined || !workload.isUp)
    throw new ConnectionError('unreachable', `cannot reach ${workload.url}: no API server is running`, {
      unsent: true,
    });
  if (!trusts(config, authorities.authority.certificate)) return undefined;
  const der = clientCertificateOf(config);
  if (der === undefined) return undefined;
  const user = server.access.certificates.authenticate(der);
  // Users other than administrators need authorization for each request, which only a real connection has.
  if (user === undefined || user === 'refused' || !user.groups.includes('system:masters')) return undefined;
  return new InProcessWorkloadClient(workload, server, user, der);
}

function leadsTo(config: ConnectionConfig, workload: WorkloadCluster): boolean {
  const plain = config.proxyUrl === undefined && config.impersonate === undefined && config.tlsServerName === undefined;
  // Behind a load balancer, connect through it: it decides whether a machine can be reached.
  return plain && !workload.listener.isElsewhere && new URL(config.server).origin === workload.url;
}

/** Whether the kubeconfig contains the CA of the server. */
function trusts(config: ConnectionConfig, authority: Certificate): boolean {
  if (config.insecureSkipTlsVerify === true) return true;
  const content = config.certificateAuthority;
  if (content === undefined || !('data' in content)) return false;
  try {
    return parseCertificates(content.data).some(({ der }) => Buffer.from(der).equals(authority.der));
  } catch {
    return false;
  }
}

/** Returns the client certificate if it has a key. Without a key, no TLS handshake would succeed. */
function clientCertificateOf({ clientCertificate, clientKey }: ConnectionConfig): Uint8Array | undefined {
  if (clientCertificate === undefined || clientKey === undefined) return undefined;
  if (!('data' in clientCertificate) || !('data' in clientKey)) return undefined;
  try {
    const [certificate] = parseCertificates(clientCertificate.data);
    const own = publicKeyToDer(createPublicKey(privateKeyFromPem(clientKey.data)));
    if (certificate === undefined || !publicKeyToDer(certificate.publicKey).equals(own)) return undefined;
    return certificate.der;
  } catch {
    return undefined;
  }
}
