// Lists the wording that scripts/language.ts replaces: `npm run language -- packages/kube docs/start`.
import { findingsIn, scannedFiles, textsOf } from './language.js';

const root = new URL('..', import.meta.url).pathname;
const prefixes = process.argv.slice(2);
const paths = scannedFiles(root).filter(
  (path) => prefixes.length === 0 || prefixes.some((prefix) => path.startsWith(prefix)),
);
const findings = paths.flatMap((path) => findingsIn(textsOf(root, path)));
for (const { path, line, kind, text, instead } of findings) {
  console.log(
    `${path}:${line} (${kind}) ${text.trim().replaceAll(/\s+/g, ' ').slice(0, 200)}\n    instead: ${instead}`,
  );
}
console.log(`${findings.length} findings in ${paths.length} files`);
