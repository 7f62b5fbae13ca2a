import { formatFieldError, type JsonObject } from '@slipway/kube';
import { ReconcileError } from '@slipway/runtime';
import type { ExtensionClient } from '../runtime-extensions/index.js';
import { validateVariableSchema } from '../variables/index.js';
import type { ClassVariable } from './class-variables.js';
import type { DiscoverVariables } from './reconcile.js';

const cacheMs = 10 * 60_000;

/** Returns a function that calls the DiscoverVariables hook of an extension. */
export function createVariableDiscovery(extensions: ExtensionClient): DiscoverVariables {
  return async ({ signal }, clusterClass, { name, external }) => {
    const handler = external?.discoverVariablesExtension ?? '';
    const request: JsonObject = external?.settings === undefined ? {} : { settings: external.settings };
    const failed = `failed to call DiscoverVariables for patch ${name}`;
    const options = { signal, cacheMs };
    const response = await extensions
      .call('DiscoverVariables', clusterClass, handler, request, options)
      .catch((error: unknown) => {
        throw new Error(`${failed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      });
    const variables = Array.isArray(response['variables']) ? (response['variables'] as readonly JsonObject[]) : [];
    return variables.map((variable, index) => checkedVariable(variable, `${name}.variables[${index}]`));
  };
}

/** Validates a variable that an extension returned: admission has not seen it. */
function checkedVariable(given: JsonObject, path: string): ClassVariable {
  const { name, schema, required, metadata: deprecatedV1Beta1Metadata } = given;
  const problems =
    typeof name !== 'string' || name === '' || name === 'builtin' || name.includes('.') || typeof schema !== 'object'
      ? [`${path}: a variable requires a schema, and a name that is not "builtin" and does not contain dots`]
      : validateVariableSchema(path, name, schema as ClassVariable['schema']).map(formatFieldError);
  if (problems.length > 0) {
    throw new ReconcileError('InvalidVariable', problems.join(', '), {
      retry: 'later',
      remedy: 'contact the maintainer of the extension',
    });
  }
  return {
    name: name as string,
    required: required === true,
    schema: schema as ClassVariable['schema'],
    ...(deprecatedV1Beta1Metadata === undefined
      ? {}
      : { deprecatedV1Beta1Metadata: deprecatedV1Beta1Metadata as ClassVariable['deprecatedV1Beta1Metadata'] }),
  } as ClassVariable;
}
