import { startEmbeddedServer } from '@slipway/testing/plane';
import { InProcessClient } from '../src/index.js';
import { leaderKillConformance } from './leader-kill-conformance.js';

leaderKillConformance('on the embedded server', async () => {
  const embedded = await startEmbeddedServer();
  return {
    client: new InProcessClient({ registry: embedded.server.registry }),
    kubeconfig: await embedded.kubeconfig(),
    stop: () => embedded.stop(),
  };
});
