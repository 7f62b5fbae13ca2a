import { durationSetting, SettingError, type Settings } from '@slipway/runtime';

export const remoteConnectionGracePeriod = durationSetting({
  flag: 'remote-connection-grace-period',
  description: 'Time without a successful probe after which the connection to a workload cluster is considered lost',
  default: '50s',
});

// Longer than a reconnect takes. Otherwise every restart of an API server would set all its Nodes to unknown.
const conditionsGraceMsMin = 120_000;

export const remoteConditionsGracePeriod = durationSetting(
  {
    flag: 'remote-conditions-grace-period',
    description:
      'Time after losing the connection to a workload cluster during which the last known Node state is kept',
    default: '5m',
  },
  conditionsGraceMsMin,
);

/** Returns how long the Node state is kept, which must be longer than the connection grace period. */
export function remoteConditionsGraceMs(settings: Settings): number {
  const ms = settings.get(remoteConditionsGracePeriod);
  if (ms > settings.get(remoteConnectionGracePeriod)) return ms;
  const { flag } = remoteConditionsGracePeriod;
  throw new SettingError(`--${flag} must be longer than --${remoteConnectionGracePeriod.flag}`);
}
