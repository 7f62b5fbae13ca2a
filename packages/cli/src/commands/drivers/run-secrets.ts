import { accountSecret, checkSecret, writeObjects } from '@slipway/drivers';
import type { SecretFlags } from './configure-command.js';
import { withTarget } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { printObjects } from '../../output/print-objects.js';
import { readPassword } from './password.js';

export async function setSecret(flags: SecretFlags): Promise<ExitCode> {
  if (flags.username === undefined)
    throw new CliError('the user is missing', { remedy: '--username user@domain', exitCode: exitCodes.usage });
  const password = await readPassword(
    flags.passwordStdin === true,
    `The password of ${flags.username}`,
    '--password-stdin',
  );
  const object = accountSecret(flags.name, { username: flags.username, password }, flags.secretNamespace);
  if (flags.printYaml === true) {
    await printObjects([object], flags.output);
    return exitCodes.ok;
  }
  return withTarget(flags, async ({ client }, signal) => {
    await writeObjects(client, [object], { signal, say: (text) => void process.stdout.write(`${text}\n`) });
    return exitCodes.ok;
  });
}

export function checkSecretOf(flags: SecretFlags): Promise<ExitCode> {
  return withTarget(flags, async ({ client }, signal) => {
    const problem = await checkSecret(client, flags.secretNamespace, flags.name, signal);
    if (problem !== undefined) throw new CliError(problem, { remedy: '`slipway drivers secrets set`' });
    process.stdout.write(`the Secret ${flags.secretNamespace}/${flags.name} has what the drivers read\n`);
    return exitCodes.ok;
  });
}
