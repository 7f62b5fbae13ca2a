import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  Encryption,
  EncryptionConfigurationError,
  KmsUnavailable,
  parseEncryptionConfiguration,
} from '@slipway/apiserver';
import { type Logger, silentLogger, systemClock } from '@slipway/base';
import { CliError, exitCodes, onFile } from '../errors/index.js';

/** Reads the file of `--encryption-provider-config` and connects to its KMS plugins. The caller disposes of the result. Returns undefined if the flag is not set. */
export async function readEncryption(
  file: string | undefined,
  logger: Logger = silentLogger,
): Promise<Encryption | undefined> {
  if (file === undefined) return undefined;
  const path = resolve(file);
  const text = await onFile('read', path, () => readFile(path, 'utf8'));
  try {
    const encryption = new Encryption(parseEncryptionConfiguration(text), { clock: systemClock, logger });
    try {
      await encryption.start();
    } catch (error) {
      encryption.dispose();
      throw error;
    }
    return encryption;
  } catch (error) {
    if (error instanceof KmsUnavailable)
      throw new CliError(error.message, { remedy: 'start the plugin, or correct its endpoint', cause: error });
    if (!(error instanceof EncryptionConfigurationError)) throw error;
    throw new CliError(`${path}: ${error.message}`, {
      remedy: 'correct the file; docs/operating/encryption.md has an example',
      exitCode: exitCodes.usage,
      cause: error,
    });
  }
}
