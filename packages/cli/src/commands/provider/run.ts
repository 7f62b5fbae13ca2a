import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { CliError, exitCodes, onFile } from '../../errors/index.js';
import type { ScaffoldFlags } from './command.js';
import { isProviderName, nextSteps, renamed } from './text.js';

/** Files of the example provider, in a directory beside this bundle. */
const example = new URL('./scaffold.json', import.meta.url);

/** Writes the project of a provider: the example provider of the documentation under another name. */
export async function scaffold(name: string, { directory }: ScaffoldFlags): Promise<void> {
  if (!isProviderName(name))
    throw new CliError(`invalid provider name "${name}"`, {
      remedy: 'use 2 to 40 lowercase letters, digits and dashes, starting with a letter',
      exitCode: exitCodes.usage,
    });
  const folder = resolve(directory ?? `${name}-provider`);
  await onFile('write', folder, async () => {
    if (existsSync(folder) && readdirSync(folder).length > 0)
      throw new CliError(`the directory ${folder} is not empty`, {
        remedy: 'choose another one with --directory',
        exitCode: exitCodes.inUse,
      });
    const files = JSON.parse(await readFile(example, 'utf8')) as Readonly<Record<string, string>>;
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, renamed(path, name));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, renamed(text, name));
    }
  });
  process.stdout.write(nextSteps(name, relative('.', folder) || '.'));
}
