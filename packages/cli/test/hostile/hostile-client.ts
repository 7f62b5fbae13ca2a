import { createInterface } from 'node:readline';
import { bodyAttacks } from './body-attacks.js';
import { connectionAttacks } from './connection-attacks.js';
import type { Target } from './target.js';

/** Child process of the hostile clients test: runs one attack until it is killed, or until the test process has exited. */
const [name = '', target = '{}'] = process.argv.slice(2);
const attack = { ...bodyAttacks, ...connectionAttacks }[name];
if (attack === undefined) throw new Error(`unknown attack ${name}`);
createInterface({ input: process.stdin }).on('close', () => process.exit(1));
await attack(JSON.parse(target) as Target);
