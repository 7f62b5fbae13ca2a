import { greetingSet } from '../../../../docs/samples/greeting-set.js';
import { managerCommand } from '../../src/commands/manager/command.js';
import { runCommandLine } from '../../src/program.js';

/** Runs `slipway` with the sample controller in its manager. */
process.exitCode = await runCommandLine(process.argv.slice(2), [
  (setExitCode) => managerCommand(setExitCode, { sets: [greetingSet] }),
]);
