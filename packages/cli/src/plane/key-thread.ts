// The program of the thread that makes keys: a bundle of its own, with nothing in it but the arithmetic.
import { parentPort } from 'node:worker_threads';
import { generatePrivateKey, type KeyAlgorithm } from '@slipway/base';

parentPort?.on('message', (algorithm: KeyAlgorithm) => {
  void generatePrivateKey(algorithm).then((key) => parentPort?.postMessage(key));
});
