// The example provider as one JSON file, from which `slipway provider scaffold` writes a project.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const omitted = /^(?:node_modules|dist)(?:\/|$)|^package-lock\.json$/;

/** Returns the text of each file of the example, by path. */
export function scaffoldFiles(root) {
  const folder = join(root, 'examples/pond-provider');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !omitted.test(path) && statSync(join(folder, path)).isFile())
    .sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}
