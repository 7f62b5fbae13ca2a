import { silentLogger, systemClock } from '@slipway/base';
import { SimulatorError, startVCenterSimulator, type VCenterSimulator } from '@slipway/simulators';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { stopSignal } from '../../process/stop-signal.js';
import type { DevVCenterOptions } from './command.js';

/** Runs a vCenter simulator until a signal stops it or the simulator exits. */
export async function devVCenter({ vcsim, listen, template, addresses }: DevVCenterOptions): Promise<ExitCode> {
  const stopRequest = stopSignal();
  const simulator = await start({ program: vcsim, listen, template, addresses });
  process.stdout.write(textOf(simulator));
  const ended = await Promise.race([stopRequest.then(() => false), simulator.ended.then(() => true)]);
  await simulator.dispose();
  if (ended) throw new CliError('the vCenter simulator exited unexpectedly');
  return exitCodes.ok;
}

type Where = Pick<Parameters<typeof startVCenterSimulator>[0], 'program' | 'listen' | 'template' | 'addresses'>;

async function start(where: Where): Promise<VCenterSimulator> {
  try {
    const user = { username: 'user', password: 'pass' };
    return await startVCenterSimulator({ ...where, ...user, clock: systemClock, logger: silentLogger });
  } catch (error) {
    if (!(error instanceof SimulatorError)) throw error;
    throw new CliError(error.message, {
      remedy: 'build .peers/bin/vcsim with `npm run peers -- vcsim`, or set --vcsim to the path of the binary',
      cause: error,
    });
  }
}

/** Returns output that a shell can source: everything except the variables is a comment. */
function textOf({ variables, hasAddresses }: VCenterSimulator): string {
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`);
  const warning = hasAddresses
    ? []
    : ['# The guests of this simulator do not report IP addresses: machines will not become ready.'];
  return [...lines, ...warning, '# Ctrl-C stops the simulator and all of its machines.', ''].join('\n');
}
