import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { publishArtifact } from '@slipway/operator';
import { withRepositories } from '../../repositories/index.js';
import type { PublishFlags } from './command.js';
import { CliError, exitCodes, onFile } from '../../errors/index.js';
import { printValue } from '../../output/index.js';

/** Writes files to a registry, under their own names. */
export async function publish(flags: PublishFlags): Promise<void> {
  const files = await readFiles(flags);
  await withRepositories(flags, async (world) => {
    const { artifactUrl, output } = flags;
    const digest = await publishArtifact(artifactUrl, files, world);
    const names = [...files.keys()];
    await printValue(
      { artifact: artifactUrl, digest, files: names },
      output,
      () => `${names.map((name) => `  ${name}\n`).join('')}\nWritten to ${artifactUrl} as ${digest}.\n`,
    );
  });
}

async function readFiles({ file = [], directory }: PublishFlags): Promise<ReadonlyMap<string, string>> {
  const paths = [...file, ...(directory === undefined ? [] : await filesOf(directory))];
  if (paths.length === 0)
    throw new CliError('there is nothing to publish: name --file or --directory', { exitCode: exitCodes.usage });
  const files = new Map<string, string>();
  for (const path of paths) {
    const name = basename(path);
    if (files.has(name))
      throw new CliError(`two files are named ${name}, and the artifact can have one`, { exitCode: exitCodes.usage });
    files.set(name, await onFile('read', path, () => readFile(path, 'utf8')));
  }
  return files;
}

async function filesOf(directory: string): Promise<readonly string[]> {
  const entries = await onFile('read', directory, () => readdir(directory, { withFileTypes: true }));
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(directory, name))
    .sort();
}
