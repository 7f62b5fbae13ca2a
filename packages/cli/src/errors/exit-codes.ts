/** What scripts may rely on. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notRunning: 3,
  inUse: 4,
  leadershipLost: 5,
  waiting: 6,
  forbidden: 7,
  leftBehind: 8,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** As the reference page says it. */
export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'Done. Also a management plane that was stopped in good order, and one to be stopped that was not running.',
  failed: 'It failed, and the message says why. `status`: it runs, but is not ready.',
  usage: 'The command line is wrong: an unknown command or flag, a bad value. Nothing was done.',
  notRunning: '`status`: there is no running management plane. `drivers`: the operator is not deployed.',
  inUse:
    'It is in use already: the data directory, the port, the file or directory to be written. Nothing was changed. `drivers status`: not healthy.',
  leadershipLost:
    '`manager`: it led and lost the lease. It acts no more; start it again to let it stand for election. `drivers`: it took longer than --timeout; the work goes on.',
  waiting: '`why`: nothing is wrong, it only takes time.',
  forbidden: '`plan` and `apply`: the change would do what --forbid names. Nothing was done.',
  leftBehind: '`move`: it moved, but objects of Cluster API are left in the source that nothing which moved leads to.',
  interrupted: 'Ctrl-C ended a wait or a question: the work goes on. A second one ended `up` or `manager` at once.',
};
