import { findByWords, type FoundObject, NotThere, parseObjectWords } from '@slipway/insight';
import type { Target } from '../connection/index.js';
import { CliError, exitCodes } from '../errors/index.js';

/** The object that a person named on the command line. */
export async function findNamed(target: Target, words: readonly string[], signal: AbortSignal): Promise<FoundObject> {
  const parsed = parseObjectWords(words);
  if (parsed === undefined)
    throw new CliError(`${words.join(' ')} names no object`, {
      remedy: 'write kind/name, or kind name, such as machine/demo-x7k2p',
      exitCode: exitCodes.usage,
    });
  try {
    return await findByWords(target.client, parsed, target.namespace, signal);
  } catch (error) {
    if (!(error instanceof NotThere)) throw error;
    throw new CliError(error.message, {
      remedy: 'see what there is: `kubectl get cluster-api -A`; choose another namespace with -n',
      cause: error,
    });
  }
}
