// Entry point of the key generation thread. A separate bundle with only the key generation code.
import { parentPort } from 'node:worker_threads';
import { generatePrivateKey, type KeyAlgorithm } from '@slipway/pki';

parentPort?.on('message', (algorithm: KeyAlgorithm) => {
  void generatePrivateKey(algorithm).then((key) => parentPort?.postMessage(key));
});
