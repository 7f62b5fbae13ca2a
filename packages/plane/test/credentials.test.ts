import { credentialConformance } from './credential-conformance.js';
import { startEmbeddedServer } from './embedded-server.js';

credentialConformance('on the embedded server', async () => {
  const embedded = await startEmbeddedServer();
  return { connection: await embedded.connection(), stop: () => embedded.stop() };
});
