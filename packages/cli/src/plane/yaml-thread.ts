// Entry point of the thread that parses large YAML bodies. A separate bundle with only the parser.
import { parentPort } from 'node:worker_threads';
import { parseYaml } from '@slipway/kube';

parentPort?.on('message', (bytes: Uint8Array) => {
  try {
    parentPort?.postMessage({ parsed: parseYaml(bytes) });
  } catch (error) {
    parentPort?.postMessage({ problem: error instanceof Error ? error.message : String(error) });
  }
});
