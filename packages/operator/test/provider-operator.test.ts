import { startEmbeddedServer } from '../../plane/test/embedded-server.js';
import { operatorConformance } from './operator-conformance.js';
import { startOperator } from './operator-under-test.js';

operatorConformance('on the embedded server', async () => {
  const server = await startEmbeddedServer();
  const operator = await startOperator(await server.connection());
  return {
    ...operator,
    async stop() {
      await operator.stop();
      await server.stop();
    },
  };
});
