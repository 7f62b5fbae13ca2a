// The load generator. It is a separate process, so that its CPU time is not attributed to the server, and it is the same for both
// servers.
import { runBurst } from './burst.js';
import type { LoadAnswer, LoadJob } from './protocol.js';
import { dropWatches, holdWatches, probeWatches } from './watches.js';

function perform(order: LoadJob): unknown {
  if (order.kind === 'burst') return runBurst(order.job);
  if (order.kind === 'watch-probe') return probeWatches(order.job);
  if (order.kind === 'hold-watches') return holdWatches(order.job);
  return dropWatches();
}

process.on('message', (order: LoadJob) => {
  const answer = (message: LoadAnswer): void => void process.send?.(message);
  Promise.resolve()
    .then(() => perform(order))
    .then(
      (result) => answer({ result }),
      (error: unknown) => answer({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
});
