import { createHttpClient } from '@slipway/runtime';
import { startEmbeddedServer } from '@slipway/testing/plane';
import { InProcessClient } from '../src/index.js';
import { clientConformance } from './client-conformance.js';

clientConformance('in process, on the embedded server', async () => {
  const embedded = await startEmbeddedServer();
  return { client: new InProcessClient({ registry: embedded.server.registry }), stop: () => embedded.stop() };
});

clientConformance('over HTTPS, on the embedded server', async () => {
  const embedded = await startEmbeddedServer();
  const client = createHttpClient(await embedded.connection());
  return {
    client,
    async stop() {
      client.close();
      await embedded.stop();
    },
  };
});
