import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Encryption, EncryptionConfigurationError, parseEncryptionConfiguration } from '@slipway/apiserver';
import { CliError, exitCodes, onFile } from '../errors/index.js';

/** Reads the file of `--encryption-provider-config`. Returns undefined if the flag is not set. */
export async function readEncryption(file: string | undefined): Promise<Encryption | undefined> {
  if (file === undefined) return undefined;
  const path = resolve(file);
  const text = await onFile('read', path, () => readFile(path, 'utf8'));
  try {
    return new Encryption(parseEncryptionConfiguration(text));
  } catch (error) {
    if (!(error instanceof EncryptionConfigurationError)) throw error;
    throw new CliError(`${path}: ${error.message}`, {
      remedy: 'correct the file; docs/operating/encryption.md has an example',
      exitCode: exitCodes.usage,
      cause: error,
    });
  }
}
