import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ProviderType } from '@slipway/clusterctl';
import { parsePreloadReference, preloadExisting, preloadManifests, publishArtifact } from '@slipway/operator';
import type { ConfigMap } from '@slipway/runtime';
import { CliError, exitCodes, onFile } from '../../errors/index.js';
import { namedProviders, providerFlagNames } from '../../options/provider-options.js';
import { printObjects, printValue } from '../../output/index.js';
import { withRepositories } from '../../repositories/index.js';
import type { PreloadFlags, PublishFlags } from './command.js';

/** Prints releases as ConfigMaps. Connects to a cluster only to list the installed providers. */
export async function preload(flags: PreloadFlags): Promise<void> {
  await withRepositories(flags, async (context) => {
    const references = Object.entries(namedProviders(flags)).flatMap(([type, texts]) =>
      texts.map((text) => parsePreloadReference(type as ProviderType, text)),
    );
    const { artifactUrl, existing = false } = flags;
    if (references.length === 0 && !existing)
      throw new CliError(`at least one of ${providerFlagNames} or --existing should be set`, {
        exitCode: exitCodes.usage,
      });
    if (artifactUrl !== undefined && references.length !== 1)
      throw new CliError('--artifact-url requires exactly one provider, because an artifact contains one release', {
        exitCode: exitCodes.usage,
      });
    const maps: ConfigMap[] = [];
    for (const reference of references) maps.push(...(await preloadManifests(reference, context, artifactUrl)));
    if (existing) maps.push(...(await preloadExisting((await context.target()).client, context)));
    await printObjects(maps, flags.output, flags.writeTo);
  });
}

/** Pushes files to a registry under their own names. */
export async function publish(flags: PublishFlags): Promise<void> {
  const files = await readFiles(flags);
  await withRepositories(flags, async (context) => {
    const { artifactUrl, output } = flags;
    const digest = await publishArtifact(artifactUrl, files, context);
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
    throw new CliError('no files to publish: set --file or --directory', { exitCode: exitCodes.usage });
  const files = new Map<string, string>();
  for (const path of paths) {
    const name = basename(path);
    if (files.has(name))
      throw new CliError(`two files have the name ${name}: file names in an artifact must be unique`, {
        exitCode: exitCodes.usage,
      });
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
