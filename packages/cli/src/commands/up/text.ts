import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { serverVersion } from '@slipway/apiserver';
import { slipwayVersion } from '../../version.js';

export interface WelcomeFacts {
  readonly endpoint: string;
  readonly kubeconfig: string;
  readonly data: string;
  readonly apiOnly: boolean;
}

/** Returns the text that `slipway up` prints when the server is ready. */
export function welcome({ endpoint, kubeconfig, data, apiOnly }: WelcomeFacts): string {
  const seconds = (performance.now() / 1_000).toFixed(1);
  const console = apiOnly
    ? ''
    : `\n  Web console    ${endpoint}/console   (run \`slipway console\` for a link that signs you in)`;
  const path = pathHint();
  return `
Slipway ${slipwayVersion} serves Kubernetes ${serverVersion.gitVersion} at ${endpoint}, up in ${seconds} s.

  export KUBECONFIG=${shellWord(kubeconfig)}
  kubectl get namespaces
${path === undefined ? '' : `\nTo put \`slipway\` on the PATH of this shell:\n\n  ${path}\n`}${console}
  Data           ${data}
  Log            \`slipway logs -f\`
  Stop           Ctrl-C, or \`slipway down\` in another terminal

`;
}

/** Returns the command that adds `slipway` to the PATH, or undefined if it is already on the PATH. */
function pathHint(environment: NodeJS.ProcessEnv = process.env, script = process.argv[1] ?? ''): string | undefined {
  // node_modules/.bin is ignored, because npm adds it to the PATH of its own scripts only.
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  if (folders.some((folder) => existsSync(join(folder, 'slipway')))) return undefined;
  const root = resolve(dirname(existsSync(script) ? realpathSync(script) : script), '../../..');
  return existsSync(join(root, 'node_modules/.bin/slipway'))
    ? `export PATH="$PATH:${join(root, 'node_modules/.bin')}"`
    : undefined;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
