import { randomBytes } from 'node:crypto';
import type { Random } from './random.js';

export const systemRandom: Random = {
  next: () => Math.random(),
  bytes: (length) => randomBytes(length),
};
