import { systemClock } from '@slipway/base';
import { type ExitCode, exitCodes } from '../../errors/index.js';
import { dataDirectory } from '../../instance/index.js';
import { printValue } from '../../output/index.js';
import type { StatusOptions } from './command.js';
import { readStatus } from './read-status.js';
import { statusText } from './text.js';

export async function status(options: StatusOptions): Promise<ExitCode> {
  const found = await readStatus(dataDirectory(options.dataDir), systemClock);
  await printValue(found, options.output, () => statusText(found, systemClock.now()));
  if (!found.running) return exitCodes.notRunning;
  return found.ready ? exitCodes.ok : exitCodes.failed;
}
