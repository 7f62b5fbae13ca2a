import type { ProviderConfig } from '@slipway/clusterctl';
import { columnsText, printValue } from '../../output/index.js';
import { withRepositories } from '../../repositories/index.js';
import type { ConfigRepositoriesFlags } from './command.js';

/** Lists providers and the URLs of their releases, with clusterctl's field names. */
export async function configRepositories(flags: ConfigRepositoriesFlags): Promise<void> {
  await withRepositories(flags, async ({ config }) => {
    const rows = config.providers.map(rowOf);
    const format = flags.output === 'text' ? undefined : flags.output;
    const cells = rows.map(({ Name, ProviderType, URL, File }) => [Name, ProviderType, URL, File]);
    await printValue(rows, format, () => `${columnsText(['NAME', 'TYPE', 'URL', 'FILE'], cells, 3).join('\n')}\n`);
  });
}

function rowOf({
  name,
  type,
  url,
}: ProviderConfig): Readonly<Record<'File' | 'Name' | 'ProviderType' | 'URL', string>> {
  const slash = url.lastIndexOf('/') + 1;
  return { File: url.slice(slash), Name: name, ProviderType: type, URL: url.slice(0, slash) };
}
