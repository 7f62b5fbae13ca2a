import { startEmbeddedServer } from '@slipway/testing/plane';
import { credentialConformance } from './credential-conformance.js';

credentialConformance('on the embedded server', async () => {
  const embedded = await startEmbeddedServer();
  return { connection: await embedded.connection(), stop: () => embedded.stop() };
});
