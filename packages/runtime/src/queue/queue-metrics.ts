/** Observations of a queue. The Prometheus names are defined in diagnostics. */
export interface QueueMetrics {
  added(): void;
  retried(): void;
  taken(waitedSeconds: number): void;
  finished(workedSeconds: number): void;
}

export const silentQueueMetrics: QueueMetrics = {
  added: () => undefined,
  retried: () => undefined,
  taken: () => undefined,
  finished: () => undefined,
};
