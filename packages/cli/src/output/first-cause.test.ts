import { expect, it } from 'vitest';
import { firstCause } from './first-cause.js';

it.each([
  { message: '', then: '' },
  { message: 'Waiting for something', then: 'Waiting for something' },
  { message: '* InfrastructureReady: not yet\n* WorkersAvailable: neither', then: 'InfrastructureReady: not yet' },
  {
    message:
      '* WorkersAvailable:\n  * MachineDeployment a: 0 available replicas\n  * MachineDeployment b: 1\n* Other: x',
    then: 'WorkersAvailable: MachineDeployment a: 0 available replicas',
  },
  { message: '* A:\n  * B:\n    * C\n  * D', then: 'A: B: C' },
])('$then', ({ message, then }) => expect(firstCause(message)).toBe(then));
