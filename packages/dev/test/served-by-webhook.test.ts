import { startEmbeddedServer } from '@slipway/testing/plane';
import { serveByWebhook } from './kinds-by-webhook.js';
import { kindsConformance } from './kinds-conformance.js';

kindsConformance('by webhook on the embedded server', async () => {
  const embedded = await startEmbeddedServer();
  return serveByWebhook(await embedded.connection(), () => embedded.stop());
});
