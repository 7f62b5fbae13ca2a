import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import { type Client, createManager, InformerFactory, informerSources, type Manager } from '@slipway/runtime';
import { createGreetingController } from './greeting-controller.js';

/** A program of its own around the controller, for whoever wants neither `slipway up` nor `slipway manager`. */
export async function startGreetings(client: Client): Promise<Manager> {
  const world = { client, clock: systemClock, random: systemRandom, logger: silentLogger };
  const manager = createManager({
    ...world,
    name: 'samples',
    sources: informerSources(new InformerFactory(world)),
    controllers: [createGreetingController({ concurrency: 4 })],
    leaderElection: { namespace: 'samples', name: 'greetings' },
    healthAddress: ':9440',
    metricsAddress: '127.0.0.1:8080',
  });
  await manager.start();
  return manager;
}
