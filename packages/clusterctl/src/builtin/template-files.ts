import { existsSync, readFileSync } from 'node:fs';

/**
 * Directories of templates. A build copies the templates next to its bundles. Without a build they are read from this package.
 */
const folders = [new URL('./templates/', import.meta.url), new URL('../../templates/', import.meta.url)];

const texts = new Map<string, string>();

/** Returns the text of a file below `packages/clusterctl/templates`, such as `dev/cluster-template.yaml`. */
export function readTemplateFile(path: string): string {
  const known = texts.get(path);
  if (known !== undefined) return known;
  const file = folders.map((folder) => new URL(path, folder)).find((url) => existsSync(url));
  if (file === undefined) throw new Error(`template ${path} not found in ${folders.join(' or ')}; run the build again`);
  const text = readFileSync(file, 'utf8');
  texts.set(path, text);
  return text;
}
