import {
  KeyPool,
  type Logger,
  silentLogger,
  systemClock,
  systemRandom,
  certificateToPem,
  privateKeyToPem,
} from '@slipway/base';
import {
  ensureServerIdentity,
  type IdentityFiles,
  KubernetesServer,
  openMemoryStore,
  type ObjectStore,
} from '@slipway/apiserver';
import type { ConnectionConfig } from '@slipway/runtime';

export interface EmbeddedServer {
  readonly server: KubernetesServer;
  readonly store: ObjectStore;
  /** Opens a port when nobody has, and tells how to reach it as the administrator. */
  connection(): Promise<ConnectionConfig>;
  stop(): Promise<void>;
}

/** A server in memory, in real time: nothing is left of it when it stops. */
export async function startEmbeddedServer(logger: Logger = silentLogger): Promise<EmbeddedServer> {
  const store = await openMemoryStore();
  const world = { clock: systemClock, random: systemRandom, keys: new KeyPool(), files: memoryFiles() };
  const identity = await ensureServerIdentity(world, { keyAlgorithm: 'ECDSA' });
  const server = await KubernetesServer.start({ store, clock: systemClock, random: systemRandom, logger, identity });
  return {
    server,
    store,
    async connection() {
      const { port } = server.address ?? (await server.listen({ port: 0 }));
      return {
        server: `https://127.0.0.1:${port}`,
        certificateAuthority: { data: certificateToPem(identity.authority.certificate) },
        clientCertificate: { data: certificateToPem(identity.admin.certificate) },
        clientKey: { data: privateKeyToPem(identity.admin.key) },
      };
    },
    async stop() {
      await server.stop();
      await store.close();
    },
  };
}

function memoryFiles(): IdentityFiles {
  const files = new Map<string, string>();
  return {
    read: (name) => Promise.resolve(files.get(name)),
    write: (name, text) => {
      files.set(name, text);
      return Promise.resolve();
    },
  };
}
