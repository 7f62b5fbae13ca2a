import { startEmbeddedServer } from '@slipway/testing/plane';
import { InProcessClient } from '../src/index.js';
import { webhookConformance } from './webhook-conformance.js';

webhookConformance('of the embedded server', async () => {
  const embedded = await startEmbeddedServer();
  return { client: new InProcessClient({ registry: embedded.server.registry }), stop: () => embedded.stop() };
});
