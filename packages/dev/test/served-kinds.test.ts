import { systemClock, systemRandom } from '@slipway/base';
import { findDefinition, InProcessClient, installKinds } from '@slipway/plane';
import { startEmbeddedServer } from '@slipway/testing/plane';
import { allKinds } from './all-kinds.js';
import { kindsConformance } from './kinds-conformance.js';
import { callerOf } from './raw-request.js';

kindsConformance('in the process of the embedded server', async () => {
  const embedded = await startEmbeddedServer();
  const { server, store } = embedded;
  const client = new InProcessClient({ registry: server.registry });
  const kinds = allKinds((name) => findDefinition(store, name));
  await installKinds(server, client, kinds, { clock: systemClock, random: systemRandom });
  return { call: callerOf(await embedded.connection()), stop: () => embedded.stop() };
});
