import { createPublicKey } from 'node:crypto';
import { type Certificate, parseCertificates, privateKeyFromPem, publicKeyToDer } from '@slipway/base';
import {
  type ConnectionConfig,
  ConnectionError,
  connectionOf,
  type ObjectKey,
  parseKubeconfig,
  type WorkloadClient,
} from '@slipway/runtime';
import type { WorkloadCluster } from './workload-cluster.js';
import { InProcessWorkloadClient } from './workload-client.js';
import type { WorkloadClusters } from './workload-clusters.js';

/**
 * Reaches a simulated cluster of this process without network and TLS, when its kubeconfig would lead there. What a real
 * connection would refuse is left to one: undefined for foreign addresses, other authorities, credentials that do not fit.
 * Throws ConnectionError while no API server runs.
 */
export function connectInProcess(
  workloads: WorkloadClusters,
  kubeconfig: string,
  cluster: ObjectKey,
): WorkloadClient | undefined {
  const config = connectionOf(parseKubeconfig(kubeconfig), { inlineOnly: true });
  const workload = workloads.get(cluster);
  if (workload === undefined || !leadsTo(config, workload)) return undefined;
  const { server, authorities } = workload;
  if (server === undefined || authorities === undefined || !workload.isUp)
    throw new ConnectionError('unreachable', `cannot reach ${workload.url}: no API server runs`, { unsent: true });
  if (!trusts(config, authorities.authority.certificate)) return undefined;
  const der = clientCertificateOf(config);
  if (der === undefined) return undefined;
  const user = server.access.certificates.authenticate(der);
  // Others than administrators have to be authorized with each request, as only a real connection is.
  if (user === undefined || user === 'refused' || !user.groups.includes('system:masters')) return undefined;
  return new InProcessWorkloadClient(workload, server, user, der);
}

function leadsTo(config: ConnectionConfig, workload: WorkloadCluster): boolean {
  const plain = config.proxyUrl === undefined && config.impersonate === undefined && config.tlsServerName === undefined;
  // Whether a load balancer leads to a machine is for the load balancer to say.
  return plain && !workload.listener.isElsewhere && new URL(config.server).origin === workload.url;
}

/** A server is trusted whose authority stands in the kubeconfig. */
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

/** The certificate, if its key is there too: without it no handshake would succeed. */
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
