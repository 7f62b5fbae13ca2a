import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import { type Client, createManager, InformerFactory, informerSources, type Manager } from '@slipway/runtime';
import { createGreetingController } from './greeting-controller.js';

/** Runs the controller in a separate program, instead of in `slipway up` or `slipway manager`. */
export async function startGreetings(client: Client): Promise<Manager> {
  const environment = { client, clock: systemClock, random: systemRandom, logger: silentLogger };
  const manager = createManager({
    ...environment,
    name: 'samples',
    sources: informerSources(new InformerFactory(environment)),
    controllers: [createGreetingController({ concurrency: 4 })],
    leaderElection: { namespace: 'samples', name: 'greetings' },
    healthAddress: ':9440',
    metricsAddress: '127.0.0.1:8080',
  });
  await manager.start();
  return manager;
}
