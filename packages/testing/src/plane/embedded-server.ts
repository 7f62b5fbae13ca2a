import { type Logger, silentLogger, systemClock, systemRandom } from '@slipway/base';
import {
  ensureServerIdentity,
  memoryIdentityFiles,
  KubernetesServer,
  kubeconfigText,
  openMemoryStore,
  type ObjectStore,
} from '@slipway/apiserver';
import { KeyPool, certificateToPem, privateKeyToPem } from '@slipway/pki';
import type { ConnectionConfig } from '@slipway/runtime';

export interface EmbeddedServer {
  readonly server: KubernetesServer;
  readonly store: ObjectStore;
  /** Starts listening if the server does not listen yet, and returns the administrator's connection. */
  connection(): Promise<ConnectionConfig>;
  kubeconfig(): Promise<string>;
  /** Stops the server and starts another one on the same store and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an API server in memory and in real time. */
export async function startEmbeddedServer(logger: Logger = silentLogger): Promise<EmbeddedServer> {
  const store = await openMemoryStore();
  const dependencies = { clock: systemClock, random: systemRandom, keys: new KeyPool(), files: memoryIdentityFiles() };
  const identity = await ensureServerIdentity(dependencies, { keyAlgorithm: 'ECDSA' });
  const options = { store, clock: systemClock, random: systemRandom, logger, identity };
  const user = {
    name: 'admin',
    certificatePem: certificateToPem(identity.admin.certificate),
    keyPem: privateKeyToPem(identity.admin.key),
  };
  const authorityPem = certificateToPem(identity.authority.certificate);
  let server = await KubernetesServer.start(options);
  const url = async (): Promise<string> =>
    `https://127.0.0.1:${(server.address ?? (await server.listen({ port: 0 }))).port}`;
  return {
    get server() {
      return server;
    },
    store,
    async connection() {
      return {
        server: await url(),
        certificateAuthority: { data: authorityPem },
        clientCertificate: { data: user.certificatePem },
        clientKey: { data: user.keyPem },
      };
    },
    kubeconfig: async () => kubeconfigText({ cluster: 'embedded', server: await url(), authorityPem, user }),
    async restart() {
      const port = server.address?.port ?? 0;
      await server.stop();
      server = await KubernetesServer.start(options);
      await server.listen({ port });
    },
    async stop() {
      await server.stop();
      await store.close();
    },
  };
}
