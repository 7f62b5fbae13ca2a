import { startEmbeddedServer } from '@slipway/testing/plane';
import { operatorConformance } from './operator-conformance.js';
import { operatorFaultsConformance } from './operator-faults-conformance.js';
import { type OperatorUnderTest, startOperator } from './operator-under-test.js';

async function start(): Promise<OperatorUnderTest> {
  const server = await startEmbeddedServer();
  return startOperator(await server.connection(), { stop: () => server.stop() });
}

operatorConformance('on the embedded server', start);
operatorFaultsConformance('on the embedded server', start);
