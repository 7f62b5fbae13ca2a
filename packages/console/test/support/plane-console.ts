import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import { HandlerTransport } from '@slipway/plane';
import { createHttpClient } from '@slipway/runtime';
import { Console, type Person, whoAmI } from '../../src/index.js';
import { consolePath } from '../../src/console.js';
import type { LivePlane } from './live-plane.js';

/** The console on the port of the plane itself, as `slipway up` has it: people are known by their certificates. */
export async function mountConsole(plane: LivePlane, assets: string, planThread: URL): Promise<Console> {
  const byCertificate = async (clientCertificate: Uint8Array): Promise<Person | undefined> => {
    const transport = new HandlerTransport({
      handle: (request) => plane.server.handler.handle(request),
      clientCertificate,
    });
    const client = createHttpClient({ server: 'https://in.process' }, { transport });
    return { name: await whoAmI(client), client, close: () => client.close() };
  };
  const console = await Console.open({
    assets,
    planThread,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    loopbackOnly: false,
    secure: true,
    doorkeeper: { byToken: () => Promise.resolve(undefined), byCertificate },
  });
  plane.server.handler.mount(consolePath, (request) => console.handle(request));
  return console;
}
