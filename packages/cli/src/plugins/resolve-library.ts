import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface ResolvedLibrary {
  readonly url: string;
  readonly format: 'module';
  readonly shortCircuit: true;
}

/** Returns the file of an entry point of a library below `folder`, or undefined if the specifier names another module. */
export function resolveLibrary(specifier: string, folder: string): ResolvedLibrary | undefined {
  const [, entryPoint] = /^@slipway\/([a-z-]+(?:\/[a-z-]+)*)$/.exec(specifier) ?? [];
  if (entryPoint === undefined) return undefined;
  const url = new URL(`${entryPoint.replaceAll('/', '.')}.mjs`, folder).href;
  if (!existsSync(fileURLToPath(url))) throw new Error(`${specifier} is not available to plugins`);
  return { url, format: 'module', shortCircuit: true };
}
