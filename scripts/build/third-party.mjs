// Third-party packages whose code is in the bundle: their licenses require attribution in every distribution.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const packageFolder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const licenseFile = /^(licen[cs]e|copying|notice)/i;

/** Returns name, version, license and license text of each package in the bundle, sorted by name. */
export function bundledPackages(root, metafile) {
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const folders = new Set(used.flatMap((file) => packageFolder.exec(file) ?? []));
  return [...folders].map((folder) => describe(join(root, folder))).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => licenseFile.test(file));
  const text = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return { name, version, license, text: text.join('\n\n') };
}
