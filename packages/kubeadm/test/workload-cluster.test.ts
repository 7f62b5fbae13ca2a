import { InProcessClient } from '@slipway/plane';
import { createHttpClient } from '@slipway/runtime';
import { startEmbeddedServer } from '@slipway/testing/plane';
import { workloadConformance } from './workload-conformance.js';

workloadConformance('in process, on the embedded server', async () => {
  const embedded = await startEmbeddedServer();
  return {
    client: new InProcessClient({ registry: embedded.server.registry }),
    stop: () => embedded.stop(),
  };
});

workloadConformance('over HTTPS, on the embedded server', async () => {
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
