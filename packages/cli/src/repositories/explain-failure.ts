import { ClusterctlError, MissingVariablesError, TemplateSyntaxError } from '@slipway/clusterctl';
import { StatusError } from '@slipway/kube';
import { CliError } from '../errors/index.js';

/** Failures of the library, as the command tells them. */
export function explainFailure(error: unknown): unknown {
  if (error instanceof MissingVariablesError)
    return new CliError(error.message, { remedy: '--list-variables tells what the template asks for', cause: error });
  if (error instanceof StatusError) return new CliError(error.message, { cause: error });
  if (error instanceof ClusterctlError) return new CliError(error.message, { remedy: error.remedy, cause: error });
  return error instanceof TemplateSyntaxError
    ? new CliError(`the template cannot be read: ${error.message}`, { cause: error })
    : error;
}
