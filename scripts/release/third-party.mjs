import { readFileSync } from 'node:fs';

const introduction = `Slipway contains code of the packages below. Each is used under its own license, which follows its name.\n`;

/** Returns the licenses of the packages in the bundle as readable text. */
export function licenseText(thirdPartyFile) {
  const packages = JSON.parse(readFileSync(thirdPartyFile, 'utf8'));
  const entries = packages.map(
    ({ name, version, license, text }) => `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${text}\n`,
  );
  return `${introduction}\n${entries.join('\n')}`;
}
