import { PlainServer } from '@slipway/apiserver';
import { systemClock, systemRandom } from '@slipway/base';
import { Console, whoAmI } from '@slipway/console';
import { createHttpClient } from '@slipway/runtime';
import { openTarget, type Target } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes, systemCode } from '../../errors/index.js';
import { consoleAssets, planThread, readOutlooks, authenticate } from '../../plane/plane-console.js';
import { openLog } from '../../process/open-log.js';
import { stopSignal } from '../../process/stop-signal.js';
import type { ConsoleOptions } from './command.js';
import { welcome } from './text.js';

const host = '127.0.0.1';

/** Serves the console for a remote management cluster until a signal stops it. */
export async function runConsole(options: ConsoleOptions): Promise<ExitCode> {
  const stopRequest = stopSignal();
  const logger = openLog({ format: undefined, verbose: options.verbose ?? false });
  const target = await openTarget({ ...options, hideApiWarnings: 'all' }, new AbortController().signal);
  const console = await Console.open({
    assets: consoleAssets,
    planThread,
    clock: systemClock,
    random: systemRandom,
    logger,
    loopbackOnly: true,
    secure: false,
    readOutlooks,
    authenticator: { authenticateToken: (token) => authenticateToken(target, token) },
  });
  const server = new PlainServer({ handle: (request) => console.handle(request), clock: systemClock, logger });
  try {
    const name = await whoAmI(target.client).catch(() => target.connection.context);
    const port = await listen(server, options.port);
    const link = console.signInLink({ name, client: target.client, close: () => undefined });
    process.stdout.write(welcome(`http://${host}:${port}${link}`, target.client.server, name));
    await stopRequest;
  } finally {
    await console.dispose();
    await server.close();
    target.client.close();
  }
  return exitCodes.ok;
}

/** Authenticates with a bearer token instead of the credentials of the kubeconfig. */
function authenticateToken({ connection }: Target, token: string): ReturnType<typeof authenticate> {
  const { clientCertificate: _certificate, clientKey: _key, exec: _exec, basic: _basic, ...server } = connection;
  return authenticate(createHttpClient({ ...server, token: { data: token } }, { userAgent: 'slipway' }));
}

async function listen(server: PlainServer, port: number): Promise<number> {
  try {
    return (await server.listen(host, port)).port;
  } catch (error) {
    throw new CliError(`cannot serve on ${host}:${port}: ${systemCode(error) ?? String(error)}`, {
      remedy: 'choose another port with --port; 0 selects a free port',
      cause: error,
    });
  }
}
