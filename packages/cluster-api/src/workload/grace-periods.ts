import { durationSetting, SettingError, type Settings } from '@slipway/runtime';

export const remoteConnectionGracePeriod = durationSetting({
  flag: 'remote-connection-grace-period',
  description: 'how long a connection to a workload cluster may not answer before it counts as lost',
  default: '50s',
});

// Shorter than a reconnect, and every restart of an API server would make all its Nodes unknown.
const conditionsGraceMsMin = 120_000;

export const remoteConditionsGracePeriod = durationSetting(
  {
    flag: 'remote-conditions-grace-period',
    description: 'how long the last word on a Node counts after the connection to its cluster was lost',
    default: '5m',
  },
  conditionsGraceMsMin,
);

/** What is known of Nodes has to outlive the connection that it came by. */
export function remoteConditionsGraceMs(settings: Settings): number {
  const ms = settings.get(remoteConditionsGracePeriod);
  if (ms > settings.get(remoteConnectionGracePeriod)) return ms;
  const { flag } = remoteConditionsGracePeriod;
  throw new SettingError(`--${flag} has to be longer than --${remoteConnectionGracePeriod.flag}`);
}
