import { isSameProvider, labelOf, type ProviderType } from '@slipway/clusterctl';
import type { ControllerSet } from '@slipway/runtime';
import { ControllerSwitch } from './controller-switch.js';

/** A provider whose controllers run in the process of the API server. */
export interface EmbeddedProvider {
  readonly name: string;
  readonly type: ProviderType;
  readonly version: string;
  readonly namespace: string;
  /** Names of the controllers or controller sets of the provider. */
  readonly controllers: readonly string[];
}

type Named = Pick<EmbeddedProvider, 'name' | 'type'>;

/** Providers that run in this process, each with a switch for its controllers. */
export class EmbeddedProviders {
  readonly list: readonly EmbeddedProvider[];
  readonly #switches: ReadonlyMap<string, ControllerSwitch>;

  constructor(list: readonly EmbeddedProvider[]) {
    this.list = list;
    this.#switches = new Map(list.map((each) => [labelOf(each), new ControllerSwitch(labelOf(each))]));
  }

  find(provider: Named): EmbeddedProvider | undefined {
    return this.list.find((each) => isSameProvider(each, provider));
  }

  isRunning(provider: Named): boolean {
    return this.#switches.get(labelOf(provider))?.isOn === true;
  }

  /** Starts or stops the controllers. After a stop, pending writes are rejected. */
  setRunning(provider: Named, running: boolean): void {
    this.#switches.get(labelOf(provider))?.turn(running);
  }

  /** Wraps each controller with the switch of its provider. */
  switched(sets: readonly ControllerSet[]): readonly ControllerSet[] {
    return sets.map((set) =>
      this.list.reduce(
        (changed, provider) =>
          this.#switches
            .get(labelOf(provider))
            ?.behind(
              changed,
              (name) => provider.controllers.includes(name) || provider.controllers.includes(set.name),
            ) ?? changed,
        set,
      ),
    );
  }
}
