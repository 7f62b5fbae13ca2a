import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import {
  ensureServerIdentity,
  kubeconfigText,
  KubernetesServer,
  type KubernetesServerOptions,
  openIdentityDirectory,
  openMemoryStore,
} from '@slipway/apiserver';
import { KeyPool, certificateToPem, privateKeyToPem } from '@slipway/pki';
import { startRealKubeApiserver } from './real-kube-apiserver.js';

/** A server as a client sees it: an address and an administrator's credentials. */
export interface ServerUnderTest {
  readonly name: 'kube-apiserver' | 'slipway';
  readonly url: string;
  readonly port: number;
  readonly certificateAuthority: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
  readonly kubeconfigFile: string;
  stop(): Promise<void>;
}

export interface ServerPair {
  readonly theirs: ServerUnderTest;
  readonly ours: ServerUnderTest;
  stop(): Promise<void>;
}

/** A large range, because a random address that one server allocates twice would look like a difference. */
const serviceRange = '10.0.0.0/16';

/** Only the controllers that the embedded server also has. Others would change objects unexpectedly. */
const sharedControllers = [
  'bootstrap-signer-controller',
  'certificatesigningrequest-approving-controller',
  'certificatesigningrequest-cleaner-controller',
  'certificatesigningrequest-signing-controller',
  'clusterrole-aggregation-controller',
  'endpoints-controller',
  'endpointslice-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'resourcequota-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'token-cleaner-controller',
];

export interface ServerPairOptions {
  /** Additional flags of kube-apiserver. */
  readonly theirFlags?: Readonly<Record<string, string>>;
  /** Additional options of Slipway's server. */
  readonly ourOptions?: Partial<KubernetesServerOptions>;
}

async function startTheirServer(more: ServerPairOptions['theirFlags'] = {}): Promise<ServerUnderTest> {
  const server = await startRealKubeApiserver({
    controllerManager: true,
    flags: {
      'service-cluster-ip-range': serviceRange,
      'enable-bootstrap-token-auth': 'true',
      'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
      ...more,
    },
    controllerManagerFlags: (folder) => ({
      controllers: sharedControllers.join(','),
      'cluster-signing-cert-file': `${folder}/ca.crt`,
      'cluster-signing-key-file': `${folder}/ca.key`,
    }),
  });
  return {
    name: 'kube-apiserver',
    url: server.url,
    port: server.port,
    certificateAuthority: server.certificateAuthority,
    clientCertificate: readFileSync(`${server.folder}/client-admin.crt`, 'utf8'),
    clientKey: readFileSync(`${server.folder}/client-admin.key`, 'utf8'),
    kubeconfigFile: server.kubeconfigFile,
    stop: () => server.stop(),
  };
}

export async function startOurServer(more: ServerPairOptions['ourOptions'] = {}): Promise<ServerUnderTest> {
  const folder = mkdtempSync(`${tmpdir()}/slipway-server-`);
  const store = await openMemoryStore();
  const environment = {
    clock: systemClock,
    random: systemRandom,
    keys: new KeyPool(),
    files: openIdentityDirectory(folder, systemRandom),
  };
  const identity = await ensureServerIdentity(environment, {});
  const server = await KubernetesServer.start({
    store,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    identity,
    serviceRange,
    ...more,
  });
  const { port } = await server.listen({ port: 0 });
  const url = `https://127.0.0.1:${port}`;
  const certificateAuthority = certificateToPem(identity.authority.certificate);
  const clientCertificate = certificateToPem(identity.admin.certificate);
  const clientKey = privateKeyToPem(identity.admin.key);
  const kubeconfigFile = `${folder}/admin.kubeconfig`;
  const user = { name: 'admin', certificatePem: clientCertificate, keyPem: clientKey };
  writeFileSync(
    kubeconfigFile,
    kubeconfigText({ cluster: 'real', server: url, authorityPem: certificateAuthority, user }),
    { mode: 0o600 },
  );
  return {
    name: 'slipway',
    url,
    port,
    certificateAuthority,
    clientCertificate,
    clientKey,
    kubeconfigFile,
    async stop() {
      await server.stop();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts kube-apiserver with etcd and these controllers, and Slipway's server. */
export async function startServerPair({ theirFlags, ourOptions }: ServerPairOptions = {}): Promise<ServerPair> {
  const [theirs, ours] = await Promise.all([startTheirServer(theirFlags), startOurServer(ourOptions)]);
  return {
    theirs,
    ours,
    async stop() {
      await Promise.all([theirs.stop(), ours.stop()]);
    },
  };
}
