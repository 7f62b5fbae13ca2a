import type { TemplateSource } from '@slipway/clusterctl';
import { CliError, exitCodes } from '../errors/index.js';
import type { TemplateFlags } from '../options/template-options.js';
import { readStandardInput } from '../terminal/input.js';

/** Returns the source of a template from the flags. */
export async function templateSource(flags: TemplateFlags): Promise<TemplateSource> {
  const { infrastructure, flavor, from, fromConfigMap: name, fromConfigMapNamespace: namespace } = flags;
  const given = [infrastructure ?? flavor, from, name].filter((each) => each !== undefined);
  if (given.length > 1)
    throw new CliError('invalid cluster template source: only one template can be used at a time', {
      remedy: 'choose one of --infrastructure (with --flavor), --from and --from-config-map',
      exitCode: exitCodes.usage,
    });
  if (from === '-') return { from: 'text', text: await readStandardInput() };
  if (from !== undefined) return { from: 'url', url: from };
  if (name !== undefined) return { from: 'config-map', reference: { name, namespace, key: flags.fromConfigMapKey } };
  return { from: 'provider', infrastructure, flavor };
}
