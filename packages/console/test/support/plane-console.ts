import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import { HandlerTransport } from '@slipway/plane';
import { createHttpClient } from '@slipway/runtime';
import { Console, type User, whoAmI } from '../../src/index.js';
import { consolePath } from '../../src/console.js';
import type { LivePlane } from './live-plane.js';

/** Mounts the console on the port of the plane, as `slipway up` does: users are authenticated by client certificates. */
export async function mountConsole(plane: LivePlane, assets: string, planThread: URL): Promise<Console> {
  const authenticateCertificate = async (clientCertificate: Uint8Array): Promise<User | undefined> => {
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
    authenticator: { authenticateToken: () => Promise.resolve(undefined), authenticateCertificate },
  });
  plane.server.handler.mount(consolePath, (request) => console.handle(request));
  return console;
}
