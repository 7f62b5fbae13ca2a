import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import {
  type AuthenticationConfiguration,
  AuthenticationConfigurationError,
  parseAuthenticationConfiguration,
  serviceAccountIssuer,
} from '@slipway/apiserver';
import type { Clock, Disposable, Logger } from '@slipway/base';
import { CliError, exitCodes, onFile } from '../errors/index.js';

/** Reads the file of `--authentication-config`. Returns undefined if the flag is not set. */
export async function readAuthentication(file: string | undefined): Promise<AuthenticationConfiguration | undefined> {
  if (file === undefined) return undefined;
  const path = resolve(file);
  const text = await onFile('read', path, () => readFile(path, 'utf8'));
  try {
    return parseAuthenticationConfiguration(text, serviceAccountIssuer);
  } catch (error) {
    if (!(error instanceof AuthenticationConfigurationError)) throw error;
    throw new CliError(`${path}: ${error.message}`, {
      remedy: 'correct the file; docs/operating/authentication.md has an example',
      exitCode: exitCodes.usage,
      cause: error,
    });
  }
}

interface FollowOptions {
  readonly file: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly replace: (configuration: AuthenticationConfiguration) => void;
}

/** An editor writes a file in several steps: read it after the last one. */
const settleMs = 200;

/** Applies the file again whenever it changes. A file that is invalid is logged, and the previous configuration is kept. */
export function followAuthentication({ file, clock, logger, replace }: FollowOptions): Disposable {
  const path = resolve(file);
  let timer: { cancel(): void } | undefined;
  const reload = async (): Promise<void> => {
    try {
      const configuration = await readAuthentication(path);
      if (configuration === undefined) return;
      replace(configuration);
      logger.info({ file: path }, 'Authentication configuration reloaded');
    } catch (error) {
      logger.error({ file: path, err: error }, 'Invalid authentication configuration, keeping the previous one');
    }
  };
  // Watch the directory: editors and mounted ConfigMaps replace the file instead of writing to it.
  const watcher = watch(dirname(path), { persistent: false }, (_event, name) => {
    if (name !== null && name !== basename(path) && !name.startsWith('..')) return;
    timer?.cancel();
    timer = clock.setTimer(settleMs, () => void reload());
  });
  watcher.on('error', (error) =>
    logger.error({ file: path, err: error }, 'Failed to watch the authentication configuration'),
  );
  return {
    dispose() {
      timer?.cancel();
      watcher.close();
    },
  };
}
