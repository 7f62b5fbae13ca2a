// Runs one informer against the server of a kubeconfig in a separate process, as the client-go informer that it is compared with.
// Prints its resource usage as JSON.
import { readFileSync } from 'node:fs';
import { connectionOf, createHttpClient, parseKubeconfig } from '@slipway/runtime';
import { measureInformer } from './measure-informer.js';

const [file = ''] = process.argv.slice(2);
const client = createHttpClient(connectionOf(parseKubeconfig(readFileSync(file, 'utf8'))));
try {
  process.stdout.write(JSON.stringify(await measureInformer(client)));
} finally {
  client.close();
}
